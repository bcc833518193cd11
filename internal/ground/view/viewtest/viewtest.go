// Package viewtest supports tests of what a cell shows.
package viewtest

import (
	"io"
	"os"
	"testing"
)

// Printed returns the text that f shows: outside a notebook, a view prints its text on standard
// output.
func Printed(t *testing.T, f func()) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = write
	done := make(chan string)
	go func() {
		text, _ := io.ReadAll(read)
		done <- string(text)
	}()
	f()
	os.Stdout = stdout
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	return <-done
}
