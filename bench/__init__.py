"""Speed and memory, beside named peers measured in the same run: `python -m bench`."""
