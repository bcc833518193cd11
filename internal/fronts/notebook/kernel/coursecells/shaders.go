// Package coursecells answers the course's own cells without GoNB. It saves shaders and reports
// their errors, and it answers cells that consist of one course call, such as a check. A worker
// process keeps the GPU open and does the work; this package opens no GPU.
package coursecells

import (
	"cmp"
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

// A Worker does the work.
type Worker interface {
	// Do answers a request and shows each view once it is ready. See workerpool.Workers.
	Do(ctx context.Context, dir string, r protocol.Request, show func(protocol.View)) error
}

// ShaderCells answers the cells that write a shader.
type ShaderCells struct {
	kernel.ShaderFiles
	Worker Worker
}

// Run saves the shader, and shows the reports of the compiler and the simulator. The cell succeeds
// whatever they report, because it has saved the shader.
func (s ShaderCells) Run(ctx context.Context, c kernel.Cell, out kernel.Output) error {
	source, err := s.Save(c)
	if err != nil || c.Silent {
		return err
	}
	file, _ := c.Shader()
	seed := uint64(glanceSeed)
	r := protocol.Request{Do: protocol.Glance, File: file.Path, Source: source, Seed: &seed}
	err = s.Worker.Do(ctx, c.Dir, r, displayIn(out))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		next := cmp.Or(kernel.Remedy(err), "Run its check to see more.")
		out.Stream("stdout", fmt.Sprintf("%s is saved, but trying it failed: %v. %s\n", file.Path, err, next))
	}
	return nil
}

// glanceSeed draws the cases of a first look, so that the same shader gets the same feedback.
const glanceSeed = 1

// shaderBegin returns the offset of the shader in its cell.
func shaderBegin(from *cell.CellSource) int {
	file, _ := from.Shader()
	return len(from.Code) - len(file.Body)
}

// Complete implements kernel.Assistant.
func (s ShaderCells) Complete(_ context.Context, from *cell.CellSource, cursor int) (kernel.Completion, error) {
	code, begin := from.Code, shaderBegin(from)
	text, offset := code[begin:], assist.ByteOffset(code, cursor)-begin
	if offset < 0 {
		return kernel.Completion{Start: cursor, End: cursor}, nil // in the first line
	}
	found := assist.Complete(text, offset)
	c := kernel.Completion{
		Start: assist.CodePoints(code, begin+found.Start), End: assist.CodePoints(code, begin+found.End),
	}
	var types []map[string]any
	for _, item := range found.Items {
		c.Matches = append(c.Matches, item.Text)
		types = append(types, map[string]any{
			"text": item.Text, "type": item.Kind.String(), "signature": item.Detail, "start": c.Start, "end": c.End,
		})
	}
	c.Metadata = map[string]any{"_jupyter_types_experimental": types}
	return c, nil
}

// Inspect implements kernel.Assistant.
func (s ShaderCells) Inspect(_ context.Context, from *cell.CellSource, cursor, _ int) (kernel.Inspection, error) {
	code, begin := from.Code, shaderBegin(from)
	offset := assist.ByteOffset(code, cursor) - begin
	if offset < 0 {
		return kernel.Inspection{}, nil
	}
	found, ok := assist.Inspect(code[begin:], offset)
	if !ok {
		return kernel.Inspection{}, nil
	}
	return kernel.Inspection{Found: true, Data: protocol.View{"text/plain": found.Text(), "text/markdown": found.Markdown()}}, nil
}

// IsComplete implements kernel.Completeness.
func (s ShaderCells) IsComplete(from *cell.CellSource) (status, indent string) {
	begin := shaderBegin(from)
	whole, indent := assist.IsComplete(from.Code[begin:])
	if begin == len(from.Code) {
		whole = assist.PartialText // only the first line
	}
	return string(whole), indent
}

var (
	_ kernel.Assistant    = ShaderCells{}
	_ kernel.Completeness = ShaderCells{}
)
