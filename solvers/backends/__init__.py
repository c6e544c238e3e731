"""The back-ends, one file each, and the table that names them."""
