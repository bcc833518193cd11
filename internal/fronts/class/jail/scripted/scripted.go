// Package scripted judges learners' programs in JavaScript, in jail. A program in Go doesn't link
// it.
package scripted

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/host/script"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/class/jail"
	"github.com/wgslab/wgslab/internal/fronts/page/assets"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Judge runs a program on the simulator, and judges it. It is a jail.Judge.
func Judge(ctx context.Context, t jail.Task) (*verdict.Verdict, error) {
	if err := script.Open(assets.HostScript); err != nil {
		return nil, err
	}
	if t.Own != "" { // this process's folder is its own
		err := errors.Join(os.Mkdir(learner.Dir, 0o700), os.WriteFile(host.ScriptFile, []byte(t.Own), 0o600))
		if err != nil {
			return nil, fmt.Errorf("writing the host file: %w", err)
		}
	}
	host.Order(host.HostOrder{Seed: t.Seed})
	var c script.Checker
	judged, err := c.Check(ctx, t.Exercise, &script.Program{File: t.Name, Text: t.Source, Kind: shader.Simulated}, t.Seed)
	if err != nil {
		return nil, err
	}
	v := judged.Verdict
	v.ShaderSHA256, v.Reasons = verdict.Digest(t.Source), v.Reasons.WithoutHints()
	return v, nil
}
