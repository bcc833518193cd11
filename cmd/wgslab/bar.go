package main

import (
	"io"

	"github.com/schollz/progressbar/v3"
)

// barWidth is the width of a progress bar in columns, without the words around it.
const barWidth = 24

// newBar returns a progress bar that disappears when it is complete, or nil if out is not a
// terminal. Callers ignore drawing errors: a closed terminal is no reason to stop.
func newBar(out io.Writer, total int64, description string, options ...progressbar.Option) *progressbar.ProgressBar {
	if !isTerminal(out) {
		return nil
	}
	common := []progressbar.Option{
		progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(description),
		progressbar.OptionSetWidth(barWidth), progressbar.OptionClearOnFinish(),
	}
	return progressbar.NewOptions64(total, append(common, options...)...)
}
