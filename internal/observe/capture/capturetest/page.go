// Package capturetest writes captures for tests, in the three forms that the format has had.
package capturetest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
)

// A Page records what a page does.
type Page struct {
	Objects  map[string]any
	Commands []map[string]any

	payloads [][]byte
}

// New returns a page with an adapter.
func New() *Page {
	p := &Page{Objects: map[string]any{}}
	p.Object("Adapter", "", map[string]any{"vendor": "acme", "architecture": "anvil"})
	return p
}

// An ObjectRef names an object in a descriptor or an argument.
type ObjectRef map[string]any

// Object adds an object, and returns how others name it.
func (p *Page) Object(kind, label string, descriptor map[string]any, more ...map[string]any) ObjectRef {
	number := len(p.Objects) + 1
	o := map[string]any{"id": number, "type": kind, "descriptor": descriptor}
	if label != "" {
		o["label"] = label
	}
	for _, fields := range more {
		maps.Copy(o, fields)
	}
	p.Objects[strconv.Itoa(number)] = o
	return ObjectRef{"__id": number, "__class": kind}
}

// Buffer adds a buffer.
func (p *Page) Buffer(label string, size int) ObjectRef {
	return p.Object("Buffer", label, map[string]any{"size": size})
}

// Pipeline adds a compute pipeline with a shader of its own.
func (p *Page) Pipeline(label, code string, compute map[string]any) ObjectRef {
	stage := map[string]any{"module": p.Object("ShaderModule", label+".wgsl", map[string]any{"code": code})}
	maps.Copy(stage, compute)
	return p.Object("ComputePipeline", label, map[string]any{"layout": "auto", "compute": stage})
}

// Group adds a bind group with resources for the bindings 0, 1, 2, …
func (p *Page) Group(layout any, resources ...any) ObjectRef {
	entries := []any{}
	for i, r := range resources {
		entries = append(entries, map[string]any{"binding": i, "resource": r})
	}
	return p.Object("BindGroup", "", map[string]any{"layout": layout, "entries": entries})
}

// Part is a part of a buffer, as a resource.
func Part(buffer ObjectRef, offset, size int) map[string]any {
	return map[string]any{"buffer": buffer, "offset": offset, "size": size}
}

// All is a whole buffer, as a resource.
func All(buffer ObjectRef) map[string]any { return map[string]any{"buffer": buffer} }

// Call adds a call of a method, and returns the name of its result.
func (p *Page) Call(object any, method string, args ...any) string {
	name := fmt.Sprintf("_%d", len(p.Commands))
	if args == nil {
		args = []any{}
	}
	if r, ok := object.(ObjectRef); ok {
		object = r["__id"]
	}
	p.Commands = append(p.Commands, map[string]any{"index": len(p.Commands), "method": method, "object": object, "args": args, "result": name})
	return name
}

// Holds adds what the buffers of the last call hold when their pass has ended, by their entries.
func (p *Page) Holds(buffers ...[]byte) {
	var held []any
	for i, data := range buffers {
		if data != nil {
			held = append(held, merged(p.Payload(data), map[string]any{"entryIndex": i, "byteLength": len(data)}))
		}
	}
	p.Commands[len(p.Commands)-1]["bufferData"] = held
}

// Payload adds bytes, and returns how the capture names them.
func (p *Page) Payload(data []byte) map[string]any {
	p.payloads = append(p.payloads, data)
	return map[string]any{"__payloadId": len(p.payloads) - 1, "__typedArray": "Uint8Array", "__length": len(data), "__byteLength": len(data)}
}

func merged(a, b map[string]any) map[string]any {
	maps.Copy(a, b)
	return a
}

func (p *Page) document(version string, more map[string]any) []byte {
	d := map[string]any{"schemaVersion": version, "tool": "webgpu_inspector", "toolVersion": "1.6.0", "frame": 1, "objects": p.Objects, "commands": p.Commands}
	text, err := json.Marshal(merged(d, more))
	if err != nil {
		panic(err)
	}
	return text
}

// Binary returns the capture as a .wgpuc file.
func (p *Page) Binary() []byte {
	var table []any
	var binary bytes.Buffer
	for _, data := range p.payloads {
		table = append(table, []int{binary.Len(), len(data)})
		binary.Write(data)
		pad(&binary)
	}
	text := p.document("1.1", map[string]any{"payloadTable": table})
	var file bytes.Buffer
	fmt.Fprintf(&file, "WGPUCAP 1 %d\n%s", len(text), text)
	pad(&file)
	return append(file.Bytes(), binary.Bytes()...)
}

func pad(b *bytes.Buffer) {
	for b.Len()%8 != 0 {
		b.WriteByte('\n')
	}
}

// Lines returns the capture in the form with a line for each payload.
func (p *Page) Lines() []byte {
	file := p.document("1.1", nil)
	for i, data := range p.payloads {
		file = fmt.Appendf(file, "\n{\"__payloadId\":%d,\"__typedArray\":\"Uint8Array\",\"base64\":%q}", i, base64.StdEncoding.EncodeToString(data))
	}
	return append(file, '\n')
}

// Inline returns the capture in the oldest form, with the payloads in place.
func (p *Page) Inline() []byte {
	var document any
	if err := json.Unmarshal(p.document("1.0", nil), &document); err != nil {
		panic(err)
	}
	p.inline(document)
	text, err := json.Marshal(document)
	if err != nil {
		panic(err)
	}
	return text
}

func (p *Page) inline(value any) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			p.inline(v)
		}
	case map[string]any:
		if n, ok := value["__payloadId"].(float64); ok {
			delete(value, "__payloadId")
			value["__base64"] = base64.StdEncoding.EncodeToString(p.payloads[int(n)])
		}
		for _, v := range value {
			p.inline(v)
		}
	}
}
