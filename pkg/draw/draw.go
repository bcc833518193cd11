// Package draw is the page on which a person draws a digit and a network reads
// it: with the learner's own kernels on their GPU, behind a small server on
// 127.0.0.1 (Live in a notebook's cell, Serve on the command line), or in a Web
// Worker of the course's site (Live, and Sheet for the page).
//
// The page is one HTML document without outside requests. Its markup, style and
// scripts lie in assets; the scripts are plain ES modules, of which page.js
// needs nothing of where the network runs.
package draw

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/wgslab/wgslab/pkg/mnist"
)

//go:embed assets
var assets embed.FS

var markup = template.Must(template.ParseFS(assets, "assets/page.html"))

// page is what page.html is filled with.
type page struct {
	Nonce   string // of its style and script, where a header asks for one
	Policy  string // a content security policy, where no header can carry it
	Address string // of its script, where that is a file of its own
	Data    any    // for the scripts: `samples`, and what the last of them needs

	Style  template.CSS
	Script template.JS
}

// write writes the page with its scripts, each of which may import those before
// it. The last one calls start.
func (p page) write(w io.Writer, scripts ...string) error {
	p.Style = template.CSS(asset("page.css"))
	p.Script = template.JS(bundle(scripts...))
	return markup.Execute(w, p)
}

// bundle joins modules to one: the imports between them go, and what they export
// is simply there.
func bundle(names ...string) string {
	var all strings.Builder
	for _, name := range names {
		for line := range strings.Lines(asset(name)) {
			if !strings.HasPrefix(line, "import ") {
				all.WriteString(strings.TrimPrefix(line, "export "))
			}
		}
	}
	return all.String()
}

// asset is a file that is built in.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(fmt.Sprintf("draw: %v", err))
	}
	return string(data)
}

// Kernels are the exercises whose shaders read a drawing, in the order of their
// first pass.
var Kernels = []string{"downsample", "normalize", "linear", "relu", "softmax"}

// A Kernel is one of them, and whose shader runs.
type Kernel struct {
	Name string `json:"name"`
	Own  bool   `json:"own"` // the learner's; false: the reference
}

const (
	hands      = 3 // ways to write each sample
	sampleSeed = 0x73616d706c65
)

// samples are digits to choose from, for who cannot draw or does not want to:
// for each digit some hands, each a list of strokes of [x, y] in the unit square.
func samples() [10][hands][][][2]float64 {
	rng := rand.New(rand.NewPCG(sampleSeed, 0))
	var all [10][hands][][][2]float64
	for digit := range all {
		for hand := range hands {
			for _, stroke := range mnist.Strokes(rng, digit) {
				points := make([][2]float64, len(stroke))
				for i, p := range stroke {
					points[i] = [2]float64{rounded(p.X), rounded(p.Y)}
				}
				all[digit][hand] = append(all[digit][hand], points)
			}
		}
	}
	return all
}

// rounded keeps three decimals, a third of a pixel of the largest sheet.
func rounded(v float64) float64 { return math.Round(1000*v) / 1000 }
