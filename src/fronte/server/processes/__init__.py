"""Where work is done beside the event loop: threads, child processes, and a sandbox for what strangers hand in."""
