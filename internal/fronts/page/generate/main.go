// Command generate makes the course's page: make site runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/fronts/page"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	out := flag.String("out", "", "the folder to write (default: .build/site of the clone)")
	source := flag.String("source", "https://github.com/wgslab/wgslab", "the address of the source that the page links to")
	flag.Parse()
	root, err := repository.Root(".")
	if err != nil {
		return err
	}
	if *out == "" {
		*out = filepath.Join(root, ".build", "site")
	}
	sizes, err := page.Build(ctx, page.Options{Root: root, Out: *out, Source: *source})
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s\n", *out, sizes)
	return sizes.Within()
}
