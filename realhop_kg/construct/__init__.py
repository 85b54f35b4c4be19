"""The construct stages, in the order of the paper: read, rebind, branch, route, realize, prune."""
