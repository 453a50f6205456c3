"""Research days: pages that are notebooks too, to read on the site and to download and run."""
