"""What a fetch through the daemon costs beside the clients that a program would use instead."""
