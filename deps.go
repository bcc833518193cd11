package wgslab

import (
	_ "github.com/agnivade/levenshtein"
	_ "github.com/aymanbagabas/go-udiff"
	_ "github.com/chromedp/chromedp"
	_ "github.com/cogentcore/webgpu/wgpu"
	_ "github.com/go-zeromq/zmq4"
	_ "github.com/gofrs/flock"
	_ "github.com/google/renameio/v2"
	_ "github.com/google/uuid"
	_ "github.com/janpfeifer/gonb/gonbui"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/require"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/term"
	_ "gonum.org/v1/plot"
	_ "pgregory.net/rapid"
)
