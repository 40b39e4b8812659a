"""What games of every family share: printed matter and options, places on a board, activation and reaction windows."""
