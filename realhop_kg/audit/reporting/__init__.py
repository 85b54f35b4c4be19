"""Reports of audit runs: from stored records to figures, tables, pages and drawings."""
