"""The checks on a whole bank and its files, and the figures behind them."""
