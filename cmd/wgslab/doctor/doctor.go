// Package doctor looks for each part that wgslab needs, on the machine and in the clone. It reports
// the parts that it finds, and how to fix missing ones.
package doctor

import (
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Part is one thing that wgslab needs or can use.
type Part struct {
	Name     string `json:"name"`
	Found    bool   `json:"found"`
	Required bool   `json:"required"`         // whether notebooks and checks need it
	Version  string `json:"version"`          // what was found, in a few words; "" when nothing was
	Detail   string `json:"detail,omitempty"` // where it is, or its problem
	Fix      string `json:"fix,omitempty"`    // how to fix it, if it is missing
}

// The names of the parts that Examine reports last because they need the driver: the adapter, and
// whether that is this machine's GPU.
const (
	Adapter = "WebGPU adapter"
	GPU     = "GPU"
)

// Examine looks for each part of the clone at root. The caller provides the probe that opens the
// adapter, because a driver can crash the process that opens it.
func Examine(ctx context.Context, root string, probe func(context.Context) (*shader.Adapter, error)) []Part {
	at := place{root: root}
	var parts []Part
	for _, look := range []func(context.Context) Part{
		at.goCommand, at.compiler, at.mold,
		at.loader, at.drivers, at.mesa,
		at.python, at.jupyterLab, at.gonb, at.goimports, at.gopls, at.kernel, at.wgsl,
		at.mnist, at.weights, hostPrograms,
	} {
		parts = append(parts, look(ctx))
	}
	found, err := probe(ctx)
	return append(parts, gpus(gpuFiles("/"), driverFiles(), found), adapter(found, err))
}

// Missing returns the required parts that are missing.
func Missing(parts []Part) []Part {
	var missing []Part
	for _, part := range parts {
		if part.Required && !part.Found {
			missing = append(missing, part)
		}
	}
	return missing
}

// Print writes the parts as a table, with a fix below each missing part.
func Print(w io.Writer, parts []Part) {
	width := 0
	for _, part := range parts {
		width = max(width, utf8.RuneCountInString(part.Name))
	}
	for _, part := range parts {
		fmt.Fprintf(w, "%s %-*s  %s\n", sign(part), width, part.Name, found(part))
		if !part.Found && part.Fix != "" {
			fmt.Fprintf(w, "  %*s  → %s\n", width, "", part.Fix)
		}
	}
}

// found describes a part that was found in a few words, or says why it does not count.
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

func sign(part Part) string {
	switch {
	case part.Found:
		return "✓"
	case part.Required:
		return "✗"
	default:
		return "–"
	}
}
