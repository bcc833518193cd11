package script

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Checker checks learners' programs. It keeps the device on which it checks their shaders.
type Checker struct{ simulator *gpu.Device }

// Check runs a program for an exercise and judges it. The shaders and the host file are those in
// the work folder of the current folder.
func (c *Checker) Check(ctx context.Context, id string, p *Program, seed uint64) (_ *host.JudgedHandIn, err error) {
	if err := p.prepare(id); err != nil {
		return nil, err
	}
	if p.Task.Work.Parts {
		device, err := gpu.Open()
		if err != nil {
			return nil, err
		}
		defer device.Close()
		return p.Task.Judge(ctx, device, seed, p.onParts)
	}
	if c.simulator == nil {
		if c.simulator, err = gpu.Open(gpu.Require(shader.Simulated)); err != nil {
			return nil, err
		}
	}
	judged, err := p.Task.Judge(ctx, c.simulator, seed, p.Run)
	if err == nil && !p.Task.Work.Piece {
		judged.Add(p.beside.Whose())
	}
	return judged, err
}

// prepare sets the program's task, and what it gets from the host file.
func (p *Program) prepare(id string) (err error) {
	if p.Task, err = host.Find(id); err != nil {
		return err
	}
	if p.own, err = host.OwnFile(learner.Dir, host.ScriptFile); err != nil {
		return fmt.Errorf("reading your host file: %w", err)
	}
	text := p.Text
	if p.Task.Work.Piece {
		text += whole
	}
	p.beside = host.ScriptCompanion(text, p.own, p.Task.Work.Function)
	return nil
}

// whole is the computation into which a check puts a piece of the host. The other pieces are the
// references.
const whole = `
async function wgslabOpen(hidden, ...whole) {
    try {
        const device = await openDevice();
        return await wgslabWhole(wgslabDue(device, !hidden && device instanceof GPUDevice, 'GPUDevice', 'openDevice'), ...whole);
    } catch (error) {
        if (hidden && !(error instanceof TypeError)) return [1];
        throw error;
    }
}
async function wgslabWhole(device, shader, x, y, inputs, usages, result, uints) {
    const sized = (made, size) => {
        if (made.size > size) throw new TypeError('upload: it returns a buffer of ' + made.size + ' bytes, and must return one of ' + size + ', as many as the data has.');
        return made;
    };
    const isPipeline = (value) => typeof value?.getBindGroupLayout === 'function';
    const buffers = inputs.map((data, i) => upload(device, data, usages[i])).map((made, i) => sized(wgslabDue(made, made instanceof GPUBuffer, 'GPUBuffer', 'upload'), inputs[i].byteLength));
    const made = pipeline(device, shader);
    wgslabDue(made, isPipeline(made), 'GPUComputePipeline', 'pipeline');
    run(device, made, x, y, ...buffers);
    const bytes = await read(device, buffers[result]);
    wgslabDue(bytes, bytes instanceof ArrayBuffer, 'ArrayBuffer', 'read');
    for (const buffer of buffers) buffer.destroy();
    if (bytes.byteLength === 0) return bytes; // it was given back
    return uints ? new Uint32Array(bytes) : new Float32Array(bytes);
}
`
