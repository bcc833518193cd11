// Package doctor looks for every part that wgslab needs, on the machine and in
// the clone, and says of each what it found and how to mend what it did not.
package doctor

import (
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/wgslab/wgslab/pkg/gpu"
)

// Part is one thing that wgslab needs or makes use of.
type Part struct {
	Name     string `json:"name"`
	Found    bool   `json:"found"`
	Required bool   `json:"required"`         // whether the notebooks and checks work only with it
	Version  string `json:"version"`          // what was found, in a few words; "" when nothing was
	Detail   string `json:"detail,omitempty"` // where it was found, or what is wrong with it
	Fix      string `json:"fix,omitempty"`    // what to do, when it was not found
}

// The names of the parts that are found out last, by asking the driver: the
// adapter, and whether it is a GPU of this machine where there is one.
const (
	Adapter = "WebGPU adapter"
	GPU     = "GPU"
)

// Examine looks for every part of the clone at root. Asking the driver can
// crash a process, so the caller gives the probe, which opens the adapter.
func Examine(ctx context.Context, root string, probe func(context.Context) (*gpu.Adapter, error)) []Part {
	at := place{root: root}
	var parts []Part
	for _, look := range []func(context.Context) Part{
		at.goCommand, at.compiler, at.mold,
		at.loader, at.drivers, at.mesa,
		at.python, at.jupyterLab, at.gonb, at.goimports, at.gopls, at.kernel, at.wgsl,
		at.mnist, at.weights,
	} {
		parts = append(parts, look(ctx))
	}
	found, err := probe(ctx)
	return append(parts, gpus(gpuFiles("/"), driverFiles(), found), adapter(found, err))
}

// Missing returns the required parts that were not found.
func Missing(parts []Part) []Part {
	var missing []Part
	for _, part := range parts {
		if part.Required && !part.Found {
			missing = append(missing, part)
		}
	}
	return missing
}

// Print writes the parts as a table, with what to do under each that is missing.
func Print(w io.Writer, parts []Part) {
	width := 0
	for _, part := range parts {
		width = max(width, utf8.RuneCountInString(part.Name))
	}
	for _, part := range parts {
		fmt.Fprintf(w, "%s %-*s  %s\n", mark(part), width, part.Name, found(part))
		if !part.Found && part.Fix != "" {
			fmt.Fprintf(w, "  %*s  → %s\n", width, "", part.Fix)
		}
	}
}

// found says in a few words what was found, or why it does not count.
func found(part Part) string {
	text := part.Version
	if text == "" && !part.Found {
		text = "not found"
	}
	switch {
	case part.Detail == "":
		return text
	case text == "":
		return part.Detail
	default:
		return text + " (" + part.Detail + ")"
	}
}

func mark(part Part) string {
	switch {
	case part.Found:
		return "✓"
	case part.Required:
		return "✗"
	default:
		return "–"
	}
}
