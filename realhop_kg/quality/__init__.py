"""How good a frozen dataset is: figures, a test for give-aways, and sheets for human readers."""
