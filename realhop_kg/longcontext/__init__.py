"""Questions in long carriers: placement over megabytes, spread, multiple choice."""
