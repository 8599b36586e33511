"""Reports: the numbers of a fitted table, and the text, page and files made of them."""
