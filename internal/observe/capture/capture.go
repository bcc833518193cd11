// Package capture reads what a page sent to its GPU, and prepares one of its dispatches for the
// simulator. The files are those of WebGPU Inspector, a browser extension, which describes them in
// its documents and in the comments of its writer. Logs with the texts of shaders are read as well.
//
// A capture holds the contents of buffers as they are when a pass has ended, not before it. So
// Prepare goes through the frame in the order of execution: it takes what earlier passes left, and
// simulates the dispatches whose results the capture doesn't hold.
package capture

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Capture is a frame, or several, that a page rendered or computed. It isn't safe for concurrent
// use.
type Capture struct {
	Made       string // the tool with its version, and the adapter, as far as the file names them
	Passes     []*Pass
	Dispatches []*Dispatch // of all passes, in the order of execution
	CutOff     bool        // the file ends before the contents of all buffers and textures

	name      string
	file      io.ReaderAt // of the payloads
	payloads  []payload   // by their numbers
	objects   map[id]*object
	events    []event
	sources   map[id]*shader.Source
	pipelines map[id]*pipeline
	layouts   map[id]*layoutDescriptor
	groups    map[id]*groupDescriptor
	seen      map[id]int // by texture: how many passes bind it; many if its texels also change otherwise
}

// A Pass is a compute pass with its dispatches, or a render pass.
type Pass struct {
	Label      string
	Render     bool
	Draws      int // of a render pass
	Dispatches []*Dispatch

	encoder id
	events  []event     // until its encoder is submitted
	after   []event     // what its buffers hold when it has ended
	binds   map[id]bool // textures
	set     settings
}

// A Dispatch is one dispatch of a compute pass.
type Dispatch struct {
	Number     int    // from 1
	Pipeline   string // its label
	Workgroups [3]uint32
	Indirect   *Place // where the workgroups are; nil if Workgroups has them

	settings
	event  int // its index
	bound  []BoundVariable
	cannot error // run
	read   bool  // whether bound and cannot are known
}

// A Place is a place in a buffer.
type Place struct {
	Buffer string
	Offset uint64

	id id
}

// settings are what the commands of a pass have set before a dispatch.
type settings struct {
	pipeline id
	groups   map[uint32]boundGroup
}

// A boundGroup is a bind group with its dynamic offsets.
type boundGroup struct {
	id      id
	offsets []uint64
}

// Is reports whether a file begins as a capture does, or as a recording, which Open explains.
func Is(start []byte) bool {
	text := strings.TrimLeft(string(start[:min(len(start), 512)]), " \t\r\n")
	return strings.HasPrefix(text, magic+" ") || strings.HasPrefix(text, recording) || strings.HasPrefix(text, "{") && strings.Contains(text, `"schemaVersion"`)
}

// OpenFile opens a capture, and the file until close is called.
func OpenFile(path string) (c *Capture, closeFile func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s isn't a regular file", path)
	}
	if err == nil {
		c, err = Open(path, file, info.Size())
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return c, file.Close, nil
}

// Open reads a capture of that name. It reads the contents of buffers only when they are needed.
func Open(name string, file io.ReaderAt, size int64) (*Capture, error) {
	d, err := readDocument(file, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c := &Capture{
		name: name, file: file, payloads: d.payloads, CutOff: d.cutOff, objects: d.Objects,
		seen: map[id]int{}, sources: map[id]*shader.Source{}, pipelines: map[id]*pipeline{}, layouts: map[id]*layoutDescriptor{}, groups: map[id]*groupDescriptor{},
	}
	c.Made = printable(d.Tool + " " + d.ToolVersion)
	for _, of := range slices.SortedFunc(maps.Keys(c.objects), older) {
		o := c.objects[of]
		var adapter struct{ Vendor, Architecture string }
		if o != nil && o.Type == "Adapter" && decode(o.Descriptor, &adapter) == nil {
			c.Made = printable(c.Made + ", " + adapter.Vendor + " " + adapter.Architecture)
			break
		}
	}
	newTimeline(c).read(d.Commands)
	return c, nil
}

// Shaders returns all shaders of a capture, those of render passes as well.
func (c *Capture) Shaders() (all []*shader.Source) {
	for _, of := range slices.SortedFunc(maps.Keys(c.objects), older) {
		if o := c.objects[of]; o != nil && o.Type == "ShaderModule" {
			if s, err := c.module(of); err == nil {
				all = append(all, s)
			}
		}
	}
	return all
}

// older orders ids by the time when their objects were made.
func older(a, b id) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// Find returns the dispatch with a number.
func (c *Capture) Find(number int) (*Dispatch, error) {
	switch n := len(c.Dispatches); {
	case n == 0:
		return nil, fmt.Errorf("%s has no dispatch: capture a frame in which the page computes", c.name)
	case number < 1 || number > n:
		return nil, fmt.Errorf("%s has no dispatch %d: choose one from 1 to %d, which wgslab open %s lists", c.name, number, n, c.name)
	}
	return c.Dispatches[number-1], nil
}

// A pipeline is a compute pipeline as the page made it.
type pipeline struct {
	source    *shader.Source
	entry     string
	overrides []string
	program   *program
	err       error // why it can't run
}

// errNoShader says that a capture has no text for a pipeline.
var errNoShader = errors.New("the capture doesn't have its shader: it was made before the capture began to watch")

// module returns the text of a shader module.
func (c *Capture) module(of id) (*shader.Source, error) {
	if s := c.sources[of]; s != nil {
		return s, nil
	}
	o := c.objects[of]
	var d struct{ Code *string }
	if o == nil || decode(o.Descriptor, &d) != nil || d.Code == nil && o.Replacement == nil {
		return nil, errNoShader
	}
	if o.Replacement != nil { // an edit in the extension, which the page then runs
		d.Code = o.Replacement
	}
	if len(*d.Code) > shader.MaxSource {
		return nil, fmt.Errorf("its shader has more than %d KiB", shader.MaxSource>>10)
	}
	c.sources[of] = shader.ReadWith(c.title(of, "shader"), *d.Code, types.AllFeatures)
	return c.sources[of], nil
}

// title returns an object's label, or else what it is and its number.
func (c *Capture) title(of id, kind string) string {
	if o := c.objects[of]; o != nil && printable(o.Label) != "" {
		return printable(o.Label)
	}
	return printable(kind + " " + string(of))
}

// printable returns a text of the page without what a terminal would obey, and not too long.
func printable(label string) string {
	const most = 80
	runes := []rune(strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, label)))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// decode reads JSON, and leaves out what has another type than expected: captures come from several
// versions of their writer.
func decode(data json.RawMessage, into any) error {
	if len(data) == 0 {
		return errors.New("nothing is recorded")
	}
	err := json.Unmarshal(data, into)
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) {
		return nil
	}
	return err
}
