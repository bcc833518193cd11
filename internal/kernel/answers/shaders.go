// Package answers answers the cells of the course that are not the learner's Go:
// shaders, which it saves and says at once what is wrong with them, and the cells that
// are one call of the course's, such as a check. A worker that keeps the device does the
// work; this package opens none.
package answers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/kernel"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/internal/worker/kept"
)

// Worker is who does the work.
type Worker interface {
	// Do has a request answered, and shows each view as it comes.
	Do(ctx context.Context, r kept.Request, show func(kept.View)) (*kept.Failure, error)
}

// Shaders answers the cells that write a shader to its file.
type Shaders struct {
	kernel.ShaderFiles
	Worker Worker
}

// Run saves the shader, and shows what the compiler and the simulator say. Whatever that
// is, the cell has done what it is there for.
func (s Shaders) Run(ctx context.Context, cell kernel.Cell, out kernel.Output) error {
	if err := s.ShaderFiles.Run(ctx, cell, out); err != nil {
		return err
	}
	if cell.Silent {
		return nil
	}
	file, _, _ := s.Parse(cell.Code)
	source, err := readFile(cell.Dir, file)
	if err != nil {
		return err
	}
	r := kept.Request{Kind: kept.Glance, Arguments: []string{file}, Dir: cell.Dir, Source: source, Seed: glanceSeed}
	failure, err := s.Worker.Do(ctx, r, func(v kept.View) { out.Display("", bundle(v)) })
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil && failure != nil:
		err = errors.New(failure.Message)
	}
	if err != nil {
		out.Stream("stdout", fmt.Sprintf("%s is saved. Nobody could look at it, though: %v. Its check tells more.\n", file, err))
	}
	return nil
}

// glanceSeed draws the cases of a first look: the same shader is told the same.
const glanceSeed = 1

// readFile reads what the file holds now, of which the cell may have brought a part.
func readFile(dir, file string) (string, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading what was saved: %w", err)
	}
	return string(source[:min(len(source), shader.MaxSource+1)]), nil
}

func bundle(v kept.View) kernel.Bundle {
	data := make(map[string]any, len(v))
	for format, content := range v {
		data[format] = content
	}
	return kernel.Bundle{Data: data}
}

// Complete implements kernel.Assistant.
func (s Shaders) Complete(_ context.Context, code string, cursor int) (kernel.Completion, error) {
	_, begin, _ := s.Parse(code)
	text, offset := code[begin:], assist.ByteOffset(code, cursor)-begin
	if offset < 0 {
		return kernel.Completion{Start: cursor, End: cursor}, nil // in the file's name
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
func (s Shaders) Inspect(_ context.Context, code string, cursor, _ int) (kernel.Inspection, error) {
	_, begin, _ := s.Parse(code)
	offset := assist.ByteOffset(code, cursor) - begin
	if offset < 0 {
		return kernel.Inspection{}, nil
	}
	found, ok := assist.Inspect(code[begin:], offset)
	if !ok {
		return kernel.Inspection{}, nil
	}
	return kernel.Inspection{Found: true, Bundle: kernel.Bundle{
		Data: map[string]any{"text/plain": found.Text(), "text/markdown": found.Markdown()},
	}}, nil
}

// IsComplete implements kernel.Completeness.
func (s Shaders) IsComplete(code string) (status, indent string) {
	_, begin, _ := s.Parse(code)
	whole, indent := assist.IsComplete(code[begin:])
	if begin == len(code) {
		whole = assist.PartialText // the file's name alone
	}
	return string(whole), indent
}

var (
	_ kernel.Assistant    = Shaders{}
	_ kernel.Completeness = Shaders{}
)
