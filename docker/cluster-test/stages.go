//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// inside runs all stages in order.
func (p places) inside(ctx context.Context) error {
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
	return errors.Join(c.tryGrading(ctx), c.tryHub(ctx))
}

func (c *cluster) tryGrading(ctx context.Context) error {
	var s *school
	if err := stage("The class, graded on one machine", func() (err error) {
		s, err = newSchool(ctx, c)
		return err
	}); err != nil {
		return err
	}
	var failed error // the trials are independent, so a failure does not stop the next
	for _, t := range trials {
		failed = errors.Join(failed, trial("Grading: "+t.what, func() (string, error) { return t.try(s, ctx) }))
	}
	return failed
}

// tryHub stops at the first trial that fails, because each trial continues from the one before.
func (c *cluster) tryHub(ctx context.Context) error {
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
	for _, t := range hubTrials {
		if err := trial("JupyterHub: "+t.what, func() (string, error) { return t.try(h, ctx) }); err != nil {
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
