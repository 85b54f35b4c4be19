"""The pages behind the numbers of an audit's report."""
