"""What things are: frozen records without any input or output."""
