"""The model backend: models fill the slots, the same operators and contracts judge them."""
