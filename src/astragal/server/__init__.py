"""The server: matches over HTTP and WebSocket, stored before anybody is told, each viewer seeing only its own view."""
