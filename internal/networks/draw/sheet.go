// This file makes the page on which a person draws a digit and a network reads it: one
// HTML document that requests nothing from outside.
//
// Package draw serves the page from 127.0.0.1 or writes it to a file; the course's
// site shows it in a frame. The scripts in assets are plain ES modules, and page.js does not
// depend on where the network runs.

package draw

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/view/mark"
	"github.com/wgslab/wgslab/internal/networks/handwriting"
)

//go:embed assets
var assets embed.FS

var markup = template.Must(template.ParseFS(assets, "assets/page.html"))

// PageValues fills page.html.
type PageValues struct {
	Nonce   string // of its style and script, if a header asks for one
	Policy  string // its content security policy, if no header carries one
	Address string // of its script, if that is a separate file
	Before  string // of its script: what comes first
	Data    any    // for the scripts: `samples`, and the data of the last one

	Style  template.CSS
	Script template.JS
}

// Write writes the page with its scripts, each of which may import those before it. The last
// one calls start.
func (p PageValues) Write(w io.Writer, scripts ...string) error {
	p.Style = template.CSS(asset("page.css"))
	p.Script = template.JS(p.Before + Bundle(scripts...))
	return markup.Execute(w, p)
}

// Bundle joins modules to one: it drops the imports between them and the export keywords.
func Bundle(names ...string) string {
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

// asset returns an embedded file.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(fmt.Sprintf("sheet: %v", err))
	}
	return string(data)
}

const (
	hands      = 3 // ways to write each sample
	sampleSeed = 0x73616d706c65
)

// Samples returns digits that people can choose if they cannot draw or prefer not to: for
// each digit several hands, each a list of strokes of [x, y] in the unit square.
func Samples() [10][hands][][][2]float64 {
	rng := rand.New(rand.NewPCG(sampleSeed, 0))
	var all [10][hands][][][2]float64
	for digit := range all {
		for hand := range hands {
			for _, stroke := range handwriting.Strokes(rng, digit) {
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

// rounded rounds to three decimals: a third of a pixel on the largest sheet.
func rounded(v float64) float64 { return math.Round(1000*v) / 1000 }

// siteScripts are the scripts of the page in the course's site.
var siteScripts = []string{"frame.js", "page.js", "answer.js", "worker.js"}

// ForSite returns the page for the course's site, where a Web Worker runs the network. The
// site chooses the content security policy, and the address at which it serves SiteScript.
func ForSite(policy, script string) ([]byte, error) {
	p := PageValues{Policy: policy, Address: script, Data: map[string]any{"samples": Samples()}}
	var whole bytes.Buffer
	if err := p.Write(&whole, siteScripts...); err != nil {
		return nil, fmt.Errorf("writing the drawing page: %w", err)
	}
	return whole.Bytes(), nil
}

// SiteScript returns the script of the page that ForSite returns.
func SiteScript() []byte { return []byte(Bundle(siteScripts...)) }

// IFrame shows the page inside a notebook's cell.
type IFrame struct {
	Address string // straight to the server
	Proxied string // through the Jupyter server, below its base address
}

var cell = template.Must(template.ParseFS(assets, "assets/cell.html"))

// HTML renders the frame, with the script that finds the page's address.
func (f IFrame) HTML() template.HTML {
	return mark.Fill(cell, f)
}

// Text returns the address.
func (f IFrame) Text() string { return "Draw a digit: " + f.Address }
