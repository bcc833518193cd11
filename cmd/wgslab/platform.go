package main

import "fmt"

// missingHere says why a system lacks a command, and what to do instead. It returns "" if the
// system has the command. docs/platforms.md shows the same as a table.
func missingHere(command, goos string) string {
	if goos != "windows" {
		return ""
	}
	switch command {
	case "bench", "install", "kernel", "lab", "release", "run":
		return fmt.Sprintf("wgslab %s needs the notebooks' kernel, which doesn't run on Windows: open the course with wgslab site, or use wgslab in WSL", command)
	}
	return ""
}
