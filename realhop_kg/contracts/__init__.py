"""Every contract of the design as a pure check over a constructed graph."""
