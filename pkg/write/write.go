// Package write lets the course's language model write in a notebook cell, letter by letter, with
// your own kernels where they are right and the reference for the others.
//
//	write.Text("Once upon a time", 60, 0.8, 1)
//
// The functions display their results in the running cell. A function that fails displays the error
// and ends the cell.
package write

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/networks/cellrun"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/writer"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Text writes letters after a beginning while you watch, with a cache of keys and values. Then you
// can click on each letter: the cell says which chances the letters had there, and at which earlier
// ones the network looked. The same seed writes the same text; a higher temperature takes more
// risks.
func Text(beginning string, letters int, temperature float64, seed uint32) {
	m := open()
	defer m.close()
	m.write(m.cached(writer.Halves), beginning, letters, temperature, seed)
}

// Anew is Text without the cache: for each letter, the network reads the whole text.
func Anew(beginning string, letters int, temperature float64, seed uint32) {
	m := open()
	defer m.close()
	m.write(m.anew(), beginning, letters, temperature, seed)
}

// Next shows the chances of the most probable letters after a beginning.
func Next(beginning string, temperature float64) {
	m := open()
	defer m.close()
	by := m.anew()
	_, err := by.Next(show.Must(gpt.Letters(beginning)), float32(temperature), 0)
	bars := show.Bars{Title: fmt.Sprintf("What comes after %q, at temperature %g", beginning, temperature), Percent: true, Source: "the 12 most probable letters"}
	for _, c := range writer.Chances(show.Must(by.Scores()), show.Must(temperature, err))[:12] {
		bars.Labels = append(bars.Labels, writer.Name(c.Letter))
		bars.Values = append(bars.Values, float32(c.Chance))
	}
	show.Display(bars, check.Whose(m.withoutSample()...))
}

// Looks shows where each letter of a text looks, for each head of a layer from 1 to 4. A row is a
// letter that looks, and a column one that it looks at.
func Looks(text string, layer int) {
	m := open()
	defer m.close()
	letters := show.Must(gpt.Letters(text))
	if layer < 1 || layer > len(m.weights.Layers) {
		show.Must(0, fmt.Errorf("layer %d: the network has layers 1 to %d", layer, len(m.weights.Layers)))
	}
	by := m.anew()
	seen := show.Must(by.Insight(letters))
	t := len(letters)
	var names []string
	for _, letter := range letters {
		names = append(names, writer.Name(letter))
	}
	later := make([]bool, t*t) // letters that the mask hides
	for i := range later {
		later[i] = i%t > i/t
	}
	var shown []show.View
	for head := range m.weights.Heads {
		looks := seen.Looks[layer-1][head*t*t : (head+1)*t*t]
		for i, hidden := range later {
			if hidden {
				looks[i] = float32(math.NaN())
			}
		}
		shown = append(shown, show.HeatMap{
			Title:  fmt.Sprintf("Layer %d, head %d: a score loses %.3f for each letter that it is farther back", layer, head+1, m.weights.Slope(head)),
			Values: looks, Absent: later, Rows: t, Cols: t, RowLabels: names, ColLabels: names, Plain: true,
		})
	}
	show.Display(append(shown, check.Whose(m.withoutSample()...))...)
}

// Times shows how long a letter takes after 10, 20, 50 and more letters, up to most: without a
// cache, and with it.
func Times(most int) {
	m := open()
	defer m.close()
	anew, cached := m.anew(), m.cached(writer.Halves)
	table := show.Table{Caption: "Milliseconds for a letter, on this machine", Headers: []string{"letters so far", "without a cache", "with a cache"}}
	place := show.NewPlace()
	text := make([]uint32, gpt.Most)
	for i := range text {
		text[i] = uint32(i*i) % uint32(m.weights.Letters)
	}
	for _, n := range steps(min(most, gpt.Most-1)) {
		row := []any{n}
		for _, by := range []writer.LetterWriter{anew, cached} {
			show.Must(by.Next(text[:n], 1, 0.5)) // compiles, and fills the cache
			started := time.Now()
			show.Must(by.Next(text[:n+1], 1, 0.5))
			row = append(row, math.Round(float64(time.Since(started).Microseconds())/10)/100)
		}
		table.Rows = append(table.Rows, row)
		place.Show(table)
	}
	show.Display(check.Whose(m.whose...))
}

// Bits reads the end of Persuasion, which the training never saw, with weights of 16, 8 and 4 bits.
// It shows what each takes and loses: bytes, the mean loss of so many letters, and the time for
// one. Four bits run your gemv-int4.
func Bits(letters int) {
	m := open()
	defer m.close()
	text := show.Must(gpt.Letters(gpt.HeldOut))
	if letters < 1 || letters >= len(text) {
		show.Must(0, fmt.Errorf("%d letters: use 1 to %d", letters, len(text)-1))
	}
	table := show.Table{
		Caption: fmt.Sprintf("%s of a text that the model never saw", english.Count(letters, "letter", "letters")),
		Headers: []string{"bits of a weight", "with its scale", "bytes of the matrices", "loss of a letter", "ms for a letter"},
	}
	place, numbers := show.NewPlace(), m.weights.Matrices()
	for _, f := range writer.WeightFormats {
		loss, took, err := writer.Loss(m.ctx, m.cached(f), text[:letters+1])
		show.Must(0, err)
		table.Add(f.Bits, fmt.Sprintf("%.3g", 8*float64(f.Size(numbers))/float64(numbers)), english.Thousands(f.Size(numbers)),
			fmt.Sprintf("%.3f", loss), fmt.Sprintf("%.2f", took.Seconds()*1000))
		place.Show(table)
	}
	show.Display(check.Whose(m.whose...))
}

// steps returns 10, 20, 50, 100 and so on, up to most.
func steps(most int) []int {
	var all []int
	for _, n := range []int{10, 20, 50, 100, 200, 500, 1000} {
		if n <= most {
			all = append(all, n)
		}
	}
	return all
}

// A model is the network of a cell, on its device.
type model struct {
	ctx     context.Context
	device  *gpu.Device
	weights *gpt.Weights
	whose   []check.Shader
	free    []func()
}

func open() *model {
	ctx, done := cellrun.Stoppable()
	return &model{ctx: ctx, device: show.Must(gpu.Default()), weights: show.Must(gpt.Trained()), free: []func(){done}}
}

func (m *model) close() {
	for _, free := range m.free {
		free()
	}
}

// sources returns the shaders of exercises, and notes their authors.
func (m *model) sources(exercises []string) map[string]string {
	sources, whose, err := ownshaders.Sources(m.ctx, m.device, learner.Dir, exercises...)
	for _, own := range whose {
		known := false
		for _, other := range m.whose {
			known = known || other.ID == own.ID
		}
		if !known {
			m.whose = append(m.whose, own)
		}
	}
	return show.Must(sources, err)
}

func (m *model) anew() *writer.Anew {
	by := show.Must(writer.NewAnew(m.device, m.weights, m.sources(writer.ExercisesOfAnew)))
	m.free = append([]func(){by.Free}, m.free...)
	return by
}

func (m *model) cached(f writer.WeightFormat) *writer.Cached {
	by := show.Must(writer.NewCached(m.device, m.weights, f, m.sources(writer.ExercisesOfCached(f))))
	m.free = append([]func(){by.Free}, m.free...)
	return by
}

// withoutSample returns the authors of the shaders that run before a letter is drawn.
func (m *model) withoutSample() []check.Shader {
	return slices.DeleteFunc(slices.Clone(m.whose), func(s check.Shader) bool { return s.ID == "sample" })
}

// write shows the text while it grows, and then what each letter comes from.
func (m *model) write(by writer.LetterWriter, beginning string, letters int, temperature float64, seed uint32) {
	if !(temperature > 0) || math.IsInf(temperature, 0) {
		show.Must(0, fmt.Errorf("a temperature of %v: it must be above 0", temperature))
	}
	place, whose := show.NewPlace(), check.Whose(m.whose...)
	text := show.Must(gpt.Letters(beginning))
	written := writer.Written{Text: text, Given: len(text), Temperature: temperature, Heads: m.weights.Heads}
	place.Show(written.View())
	started, shown := time.Now(), time.Now()
	text, err := writer.Compose(m.ctx, by, writer.Composition{Beginning: beginning, Letters: letters, Temperature: temperature, Seed: seed}, func(letter uint32) {
		written.Text = append(written.Text, letter)
		if time.Since(shown) > 100*time.Millisecond {
			shown = time.Now()
			place.Show(written.View())
		}
	})
	took, n := time.Since(started), len(written.Text)-written.Given
	if err != nil && !errors.Is(err, context.Canceled) {
		place.Show(show.Failure(err))
		os.Exit(1)
	}
	if n > 0 && err == nil {
		anew, whole := m.anew(), text
		written.Insight = show.Must(anew.Insight(whole))
	}
	place.Show(written.View())
	if n > 0 {
		show.Display(show.Note{Title: fmt.Sprintf("%s in %.2f s: %.2f ms each", english.Count(n, "letter", "letters"), took.Seconds(), took.Seconds()*1000/float64(n))})
	}
	show.Display(whose)
}
