//go:build !js

package backend

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/ground/view"
)

// programs runs learners' programs, in a browser.
type programs struct{}

func (programs) check(_ context.Context, id, _ string, _ func(...view.View)) error {
	return fmt.Errorf("%s is written in JavaScript, which only a browser runs", id)
}
