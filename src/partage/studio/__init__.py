"""The studio: boundaries edited in a browser, each edit with its price, signed and saved."""
