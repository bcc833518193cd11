// Command pagebench measures how long a visitor of the course's page waits for a check, in Chromium
// and in Firefox. It also measures how much slower the judge is in WebAssembly than natively. Slow
// results are not errors: it prints a table.
//
//	go run ./acceptance/harness/pagebench --rounds 9
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/firefox"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/page"
	"github.com/wgslab/wgslab/internal/fronts/page/server"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pagebench:", err)
		os.Exit(1)
	}
}

// The goals for the page.
const (
	checkGoal = 100 * time.Millisecond // from a click on Check to the verdict, with WebGPU
	timesGoal = 4                      // the judge may take this many times as long as natively
)

func newCommand() *cobra.Command {
	rounds := 9
	cmd := &cobra.Command{
		Use:           "pagebench",
		Short:         "Measure how long a visitor of the course's page waits",
		Example:       "  go run ./acceptance/harness/pagebench --rounds 9",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rounds < 1 {
				return fmt.Errorf("--rounds is %d; it must be at least 1", rounds)
			}
			return measure(cmd, rounds)
		},
	}
	cmd.Flags().IntVar(&rounds, "rounds", rounds, "number of measurements of each thing")
	return cmd
}

func measure(cmd *cobra.Command, rounds int) (err error) {
	root, err := repository.Root(".")
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "wgslab-pagebench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	out := folder + "/site"
	if _, err := page.Build(cmd.Context(), page.Options{Root: root, Out: out, Source: "https://example.org/wgslab"}); err != nil {
		return err
	}
	served := httptest.NewServer(server.Handler(out))
	defer served.Close()
	return bench{cmd.Context(), served.URL, rounds}.print(cmd)
}

type bench struct {
	ctx     context.Context
	address string
	rounds  int
}

// A tab is a page in any browser: it returns the value of an expression, in JSON.
type tab func(expression string) (json.RawMessage, error)

func number(page tab, expression string, arguments ...any) (float64, error) {
	raw, err := page(fmt.Sprintf(expression, arguments...))
	if err != nil {
		return 0, err
	}
	var value float64
	return value, json.Unmarshal(raw, &value)
}

// inChromium calls do with a page in Chromium.
func (b bench) inChromium(path string, do func(tab) error, more ...chromedp.ExecAllocatorOption) error {
	chromium, err := browser.Start(b.ctx, more...)
	if err != nil {
		return err
	}
	defer chromium.Close()
	page, err := chromium.Open(b.address + path)
	if err != nil {
		return err
	}
	return do(func(expression string) (json.RawMessage, error) {
		return browser.Evaluate[json.RawMessage](page, expression)
	})
}

func (b bench) inFirefox(path string, do func(tab) error) error {
	fox, err := firefox.Start(b.ctx)
	if err != nil {
		return err
	}
	defer fox.Close()
	page, err := fox.Open(b.address + path)
	if err != nil {
		return err
	}
	return do(func(expression string) (json.RawMessage, error) {
		return firefox.Evaluate[json.RawMessage](page, expression)
	})
}

func (b bench) print(cmd *cobra.Command) error {
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "IN A PAGE, A CHECK OF vector-add\tMEDIAN\tFROM … TO\tGOAL\n")
	checks := []struct {
		name string
		goal time.Duration
		in   func(string, func(tab) error) error
	}{
		{"Chromium, WebGPU and the simulator", checkGoal, func(path string, do func(tab) error) error { return b.inChromium(path, do, browser.WebGPU) }},
		{"Chromium, the simulator alone", 0, func(path string, do func(tab) error) error { return b.inChromium(path, do) }},
		{"Firefox, the simulator alone", 0, b.inFirefox},
	}
	for _, c := range checks {
		err := c.in("/02-add.html", func(page tab) error {
			first, waits, err := b.checks(page)
			if err == nil {
				printWaits(table, c.name+", the first after a visitor has read for two seconds", []float64{first}, 0)
				printWaits(table, c.name+", each next", waits, c.goal)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	var keys []float64
	err := b.inChromium("/02-add.html", func(page tab) (err error) {
		keys, err = b.keys(page)
		return err
	})
	if err != nil {
		return fmt.Errorf("typing while a check runs: %w", err)
	}
	printWaits(table, "a key typed during a check, until it is drawn", keys, 0)

	fmt.Fprintf(table, "\nA CHECK IN THE SIMULATOR\tHERE\tIN CHROMIUM\tTIMES AS LONG\n")
	if err := b.inChromium("/", func(page tab) error { return b.ratios(page, table) }); err != nil {
		return fmt.Errorf("the judge in Chromium: %w", err)
	}

	fmt.Fprintf(table, "\nA NETWORK IN THE SIMULATOR\tCHROMIUM\tFIREFOX\n")
	for _, l := range lessons {
		chromium, err := b.lesson(l, func(path string, do func(tab) error) error { return b.inChromium(path, do) })
		if err != nil {
			return fmt.Errorf("%s in Chromium: %w", l.path, err)
		}
		fox, err := b.lesson(l, b.inFirefox)
		if err != nil {
			return fmt.Errorf("%s in Firefox: %w", l.path, err)
		}
		for i, name := range l.names {
			fmt.Fprintf(table, "%s\t%.0f ms\t%.0f ms\n", name, chromium[i], fox[i])
		}
	}
	return table.Flush()
}

// A lesson runs a network in a cell of its page. The value is JavaScript for milliseconds, one
// number for each name, or null as long as they aren't known.
type lesson struct {
	names             []string
	path, cell, value string
}

var lessons = []lesson{
	{[]string{"lesson 16, a letter after 20 others", "the same with a cache"}, "/16-write.html", "times", `((rows) =>
		rows.length >= 2 ? [1, 2].map((column) => Number(rows[1].cells[column].textContent)) : null
	)([...document.querySelectorAll('#times .shown tr')].filter((row) => row.querySelector('td')))`},
	{[]string{"lesson 8, a drawn digit, the median of nine"}, "/08-draw.html", "live", `((page) => {
		const passes = page?.querySelector('#draw [data-at="passes"]'), canvas = page?.querySelector('#draw [data-at="canvas"]');
		if (passes?.children.length !== 6) return null;
		const clock = page.defaultView.performance, read = globalThis.read ??= { took: [], asked: 0 };
		const answer = clock.getEntriesByName('answer')[0];
		if (read.asked > 0 && answer?.startTime >= read.asked) {
			read.took.push(answer.duration);
			read.asked = 0;
		}
		if (read.took.length === 10) return [read.took.slice(1).sort((a, b) => a - b)[4]];
		if (read.asked > 0) return null;
		read.asked = clock.now();
		canvas.setPointerCapture = () => {}; // no mouse moves
		const { left, top, width, height } = canvas.getBoundingClientRect();
		for (const [type, y] of [['pointerdown', 0.2], ['pointermove', 0.5], ['pointermove', 0.8], ['pointerup', 0.8]]) {
			canvas.dispatchEvent(new page.defaultView.PointerEvent(type, { pointerId: 1, bubbles: true, cancelable: true, clientX: left + width / 2, clientY: top + y * height }));
		}
		return null;
	})(document.querySelector('#live iframe')?.contentDocument)`},
	{[]string{"lesson 10, an epoch with 100 images"}, "/10-train.html", "live", `((epoch) => {
		const began = globalThis.began ??= {};
		if (epoch) began[epoch] ??= performance.now();
		return began[3] ? [began[3] - began[2]] : null;
	})(/Epoch (\d+) of/.exec(document.querySelector('#live .shown').textContent)?.[1])`},
}

// lesson runs the cell of a lesson in a browser, and waits for its values.
func (b bench) lesson(l lesson, in func(string, func(tab) error) error) (values []float64, err error) {
	err = in(l.path, func(page tab) error {
		start := fmt.Sprintf(`(async () => {
			while (!document.documentElement.dataset.ready) await new Promise((resolve) => setTimeout(resolve, 5));
			document.querySelector('#%s .start').click();
			return 0;
		})()`, l.cell)
		_, err := page(start)
		for values == nil && err == nil {
			select {
			case <-b.ctx.Done():
				return b.ctx.Err()
			case <-time.After(20 * time.Millisecond):
			}
			var raw json.RawMessage
			if raw, err = page(l.value); err == nil {
				err = json.Unmarshal(raw, &values)
			}
		}
		return err
	})
	return values, err
}

func printWaits(table *tabwriter.Writer, name string, waits []float64, goal time.Duration) {
	against := "none"
	if limit := float64(goal.Milliseconds()); limit > 0 && median(waits) <= limit {
		against = fmt.Sprintf("at most %.0f ms: met", limit)
	} else if limit > 0 {
		against = fmt.Sprintf("at most %.0f ms: NOT MET", limit)
	}
	fmt.Fprintf(table, "%s\t%.0f ms\t%.0f … %.0f ms\t%s\n", name, median(waits), slices.Min(waits), slices.Max(waits), against)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// inPage is the code that the measurements share. shown waits for a change, and until it is drawn.
const inPage = `(globalThis.shown = (place, is) => new Promise((resolve) => {
  const look = new MutationObserver(() => {
    if (!is()) return;
    look.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  });
  look.observe(place, { childList: true, subtree: true, attributes: true, characterData: true });
}), globalThis.until = async (is) => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 5));
}, globalThis.put = async (text) => {
  document.querySelector('#vector-add .cm-content').focus();
  document.execCommand('selectAll');
  document.execCommand('insertText', false, text);
  await until(() => localStorage.getItem('wgslab:work/vector-add.wgsl') === text);
}, globalThis.section = document.querySelector('#check-vector-add'), until(() => document.documentElement.dataset.ready).then(() => new Promise((resolve) => setTimeout(() => resolve(0), 2000))))`

// checks times checks of vector-add from the click to the drawn verdict. The first comes some time
// after the page is ready; the others check shaders with new text.
func (b bench) checks(page tab) (first float64, waits []float64, err error) {
	source, err := exercises.Reference("vector-add")
	if err != nil {
		return 0, nil, err
	}
	if _, err := page(inPage); err != nil {
		return 0, nil, err
	}
	for i := range b.rounds + 1 {
		took, err := number(page, `put(%q).then(async () => {
			const place = section.querySelector('.verdict');
			place.replaceChildren();
			const begun = performance.now();
			section.querySelector('.start').click();
			const took = await shown(place, () => place.childElementCount > 0) - begun;
			await until(() => !section.hasAttribute('aria-busy'));
			if (section.dataset.verdict !== 'pass') throw new Error(place.innerText);
			return took;
		})`, fmt.Sprintf("%s// %d\n", source, i))
		if err != nil {
			return 0, nil, err
		}
		if waits = append(waits, took); i == 0 {
			first, waits = took, nil
		}
	}
	return first, waits, nil
}

// endless keeps a check busy.
const endless = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64) fn main() {
  for (var k = 1u; k * k != 2u; k += 2u) { out[0] = f32(k); }
}
`

// keys times letters typed into another editor during a check.
func (b bench) keys(page tab) (waits []float64, err error) {
	if _, err := page(inPage); err != nil {
		return nil, err
	}
	if _, err := page(fmt.Sprintf(`put(%q).then(() => { section.querySelector('.start').click(); })`, endless)); err != nil {
		return nil, err
	}
	for range b.rounds {
		took, err := number(page, `until(() => section.hasAttribute('aria-busy')).then(async () => {
			const place = document.querySelector('#add .cm-content'), before = place.textContent;
			place.focus();
			const begun = performance.now(), drawn = shown(place, () => place.textContent !== before);
			document.execCommand('insertText', false, 'x');
			const took = await drawn - begun;
			if (!section.hasAttribute('aria-busy')) throw new Error('the check ended too soon');
			return took;
		})`)
		if err != nil {
			return nil, err
		}
		waits = append(waits, took)
	}
	return waits, nil
}

// ratios compares checks of the references in a page with the same checks here. Each round runs all
// of them in turn, by the judge's own clock on both sides. Other load on the machine can only slow
// a run down, and browsers choose their threads' priority themselves, so the fastest run of each
// counts.
func (b bench) ratios(page tab, table *tabwriter.Writer) error {
	here, err := engine.Open(b.ctx, shader.Simulated)
	if err != nil {
		return err
	}
	_, err = page(`(async () => {
		const beside = (name) => new URL(name, document.querySelector('script[type=module]').src);
		const unpacked = (await fetch(beside('judge.wasmgz'))).body.pipeThrough(new DecompressionStream('gzip'));
		const headers = { 'Content-Type': 'application/wasm' };
		const judge = new Worker(beside('worker.js'));
		judge.postMessage({ program: await WebAssembly.compileStreaming(new Response(unpacked, { headers })) });
		globalThis.ask = (request) => new Promise((resolve, reject) => {
			judge.onmessage = ({ data }) => { if (data.verdict) resolve(data.verdict.ms); else if (data.error) reject(new Error(data.error)); };
			judge.postMessage({ id: 1, ...request });
		});
		return 0;
	})()`)
	if err != nil {
		return err
	}
	ours, theirs := map[string][]float64{}, map[string][]float64{}
	for i := range b.rounds + warming {
		for _, exercise := range course.All() {
			source, err := exercises.Reference(exercise.ID)
			if err != nil {
				return err
			}
			v, err := judge.Run(b.ctx, here.Engines, exercise, shader.Read(learner.ShaderPath(exercise.ID), source), 1)
			if err != nil {
				return err
			}
			there, err := number(page, `ask({ do: 'check', exercise: %q, source: %q, seed: 1 })`, exercise.ID, source)
			if err != nil {
				return err
			}
			if i >= warming {
				ours[exercise.ID], theirs[exercise.ID] = append(ours[exercise.ID], v.Milliseconds), append(theirs[exercise.ID], there)
			}
		}
	}
	var allHere, allThere float64
	for _, exercise := range course.All() {
		here, there := slices.Min(ours[exercise.ID]), slices.Min(theirs[exercise.ID])
		printRatio(table, exercise.ID, here, there)
		allHere, allThere = allHere+here, allThere+there
	}
	printRatio(table, "all of them", allHere, allThere)
	fmt.Fprintf(table, "\t\t\tgoal: at most %d\n", timesGoal)
	return nil
}

// warming is how many rounds a browser gets to compile what it runs.
const warming = 3

func printRatio(table *tabwriter.Writer, name string, here, there float64) {
	fmt.Fprintf(table, "%s\t%.1f ms\t%.1f ms\t%.1f\n", name, here, there, there/here)
}
