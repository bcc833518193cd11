//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"
)

// A gradingTrial has its name, and what it tries. It returns its observations.
type gradingTrial struct {
	what string
	try  func(*school, context.Context) (seen string, err error)
}

// A hubTrial is the same for JupyterHub.
type hubTrial struct {
	what string
	try  func(*hub, context.Context) (seen string, err error)
}

// chosenVariable names the trials to run, as a regular expression of their names, such as
// "Grading" or "deadline|culling". Without it, all run.
const chosenVariable = "WGSLAB_TRIALS"

// chosen returns the trials to run. Those of JupyterHub go up to the last chosen one, because each
// continues from the one before.
func chosen() (grading []gradingTrial, hub []hubTrial, err error) {
	pattern, err := regexp.Compile(os.Getenv(chosenVariable))
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", chosenVariable, err)
	}
	for _, t := range trials {
		if pattern.MatchString(t.what) {
			grading = append(grading, t)
		}
	}
	for i, t := range hubTrials {
		if pattern.MatchString(t.what) {
			hub = hubTrials[:i+1]
		}
	}
	if len(grading)+len(hub) == 0 {
		return nil, nil, fmt.Errorf("%s=%s matches no trial: acceptance/harness/cluster-test/grading.go and hub.go list them", chosenVariable, pattern)
	}
	return grading, hub, nil
}

// inside runs the chosen trials in order.
func (p places) inside(ctx context.Context) error {
	grading, hub, err := chosen()
	if err != nil {
		return err
	}
	if err := p.furnish(ctx); err != nil {
		return err
	}
	var c *cluster
	if err := stage("A cluster of one node", func() (err error) {
		c, err = newCluster(ctx, p)
		return err
	}); err != nil {
		return err
	}
	return errors.Join(c.tryGrading(ctx, grading), c.tryHub(ctx, hub))
}

func (c *cluster) tryGrading(ctx context.Context, trials []gradingTrial) error {
	if len(trials) == 0 {
		return nil
	}
	var s *school
	if err := stage("The class, graded on one machine", func() (err error) {
		s, err = newSchool(ctx, c)
		return err
	}); err != nil {
		return err
	}
	var failed error // the trials are independent, so a failure does not stop the next
	for _, t := range trials {
		failed = errors.Join(failed, trial(t.what, func() (string, error) { return t.try(s, ctx) }))
	}
	return failed
}

// tryHub stops at the first trial that fails, because each trial continues from the one before.
func (c *cluster) tryHub(ctx context.Context, trials []hubTrial) error {
	if len(trials) == 0 {
		return nil
	}
	if _, err := os.Stat(c.charts()); err != nil {
		fmt.Println("- JupyterHub was left out: there is no chart")
		return nil
	}
	var h *hub
	if err := stage("JupyterHub, ahead", func() (err error) {
		h, err = newHub(ctx, c)
		return err
	}); err != nil {
		return err
	}
	for _, t := range trials {
		if err := trial(t.what, func() (string, error) { return t.try(h, ctx) }); err != nil {
			return err
		}
	}
	return nil
}

// trial is a stage that prints its observations.
func trial(what string, try func() (seen string, err error)) error {
	return stage(what, func() error {
		seen, err := try()
		if err == nil {
			fmt.Printf("  %s\n", seen)
		}
		return err
	})
}

// stage prints what it does and how long it took.
func stage(what string, do func() error) error {
	fmt.Printf("• %s\n", what)
	began := time.Now()
	if err := do(); err != nil {
		fmt.Printf("✗ %s (%.0f s)\n", what, time.Since(began).Seconds())
		return fmt.Errorf("%s: %w", what, err)
	}
	fmt.Printf("✓ %s (%.0f s)\n", what, time.Since(began).Seconds())
	return nil
}
