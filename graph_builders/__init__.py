"""One adapter per source: reads its files and gives typed records, without asking any model."""
