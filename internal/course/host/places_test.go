package host

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A mistake may be in another line than its call. Each text has the call, marked with "// call",
// and the line that a verdict shows first, marked with "// shown".
func TestPlaces(t *testing.T) {
	one := uint32(1)
	for name, c := range map[string]struct {
		slug, message string
		binding       *uint32
		text          string
	}{
		"workgroups": {"dispatch-floor", "", nil, `
			const groups = Math.floor(n / size); // shown
			pass.dispatchWorkgroups(groups); // call`},
		"workgroups in y": {"dispatch-short", "2 workgroups of 8 in y", nil, `
			const x = Math.ceil(cols / 8), rest = 1;
			const y = Math.ceil(rows / 16); // shown
			pass.dispatchWorkgroups(x, y); // call`},
		"workgroups that the piece gets": {"dispatch-short", "", nil, `
			workgroups := uint32((n + 63) / 64) // shown
			run(device, adder, workgroups, 1, left, right, sum) // call`},
		"elements in place of workgroups": {"dispatch-elements", "", nil, `
			n := len(a)
			pass.DispatchWorkgroups(uint32(n), 1, 1) // call, shown`},
		"workgroups in the call": {"dispatch-floor", "", nil, `
			n = rows / 2
			pass.dispatchWorkgroups(n / size); // call, shown`},
		"exchanged where they are computed": {"dispatch-exchanged", "", nil, `
			x := (rows + 7) / 8 // shown
			y := (cols + 7) / 8
			run(device, p, uint32(x), uint32(y), dims, m) // call`},
		"exchanged in the call": {"dispatch-exchanged", "", nil, `
			x := (cols + 7) / 8
			y := (rows + 7) / 8
			run(device, p, uint32(y), uint32(x), dims, m) // call, shown`},
		"exchanged, with other names": {"dispatch-exchanged", "", nil, `
			const down = Math.ceil(rows / 8);
			const across = Math.ceil(cols / 8);
			pass.dispatchWorkgroups(down, across); // call, shown`},
		"bytes for the piece": {"uniform-word", "", nil, `
			var params [8]byte
			binary.LittleEndian.PutUint32(params[0:], uint32(n)) // shown
			uniform := upload(device, params[:], wgpu.BufferUsageUniform) // call`},
		"bytes for a function of the learner's": {"uniform-word", "", nil, `
			const members = new Float32Array([alpha, n]); // shown
			const params = make(members, GPUBufferUsage.UNIFORM); // call`},
		"bytes through a view": {"uniform-word", "", nil, `
			const bytes = new ArrayBuffer(8);
			const view = new DataView(bytes);
			view.setUint32(4, alpha, true); // shown
			queue.writeBuffer(params, 0, bytes); // call`},
		"numbers that are arguments": {"uniform-word", "", nil, `
			m := uint32(images)
			dims := uniform(m, uint32(hidden), uint32(inputs)) // call, shown`},
		"the highest byte first": {"big-endian", "", nil, `
			w[i] = view.getFloat32(wAt + 4 * (c * inputs + i)); // shown
			const wBuf = put(w, GPUBufferUsage.STORAGE); // call`},
		"the highest byte first, in Go": {"big-endian", "", nil, `
			bits := binary.BigEndian.Uint32(file[at:]) // shown
			upload(device, wgpu.ToBytes(w), wgpu.BufferUsageStorage) // call`},
		"the lowest byte first, and then another order": {"big-endian", "", nil, `
			w[i] = view.getFloat32(wAt + 4 * (c * inputs + i), true);
			swapped = new Uint8Array(w.buffer).reverse(); // shown
			device.queue.writeBuffer(wBuf, 0, swapped); // call`},
		"bindings in a loop": {"bound-twice", "", &one, `
			for (let i = 0; i < buffers.length; i++)
				entries.push({ binding: i + 1, resource: { buffer: buffers[i] } }); // shown
			const group = device.createBindGroup({ layout, entries }); // call`},
		"bindings in the call": {"bound-twice", "", &one, `
			const group = device.createBindGroup({ // call
				layout, entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })), // shown
			});`},
		"a binding's own line": {"bound-twice", "", &one, `
			other({ binding: i });
			const group = device.createBindGroup({ layout, entries: [ // call
				{ binding: 0, resource: { buffer: a } },
				{ binding: 1, resource: { buffer: b } }, // shown
			] });`},
	} {
		text := "async function f() {" + c.text + "\n}\n"
		lines := strings.Split(text, "\n")
		marked := func(word string) int {
			return 1 + slices.IndexFunc(lines, func(line string) bool {
				return strings.Contains(line, "//") && strings.Contains(line[strings.Index(line, "//"):], word)
			})
		}
		at := webgpu.At(webgpu.SourcePlace{File: "program.js", Line: marked("call"), Text: text})
		d := (&trial{record: webgpu.Watch()}).has(webgpu.Noticed{Habit: &webgpu.Habit{ID: c.slug}, Wrong: c.message + ".", At: at, Binding: c.binding})
		require.Equal(t, marked("shown"), d.at.Shown().Line, "%s: %s", name, d.Message)
	}
}
