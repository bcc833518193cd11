package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/tutor"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func newMcpCommand() *cobra.Command {
	var client, folder string
	command := &cobra.Command{
		Use:   "mcp",
		Short: "Attach an AI tutor to your lessons (Model Context Protocol)",
		Long: `Mcp speaks the Model Context Protocol on its standard input and output. An AI assistant
that starts it becomes your tutor: it sees an exercise as you do, your program and what the
check knows about it, and it can try out changes that you never see. It can't write your
files, and what it says is refused if it gives the solution away. The conversation is kept
in work/tutor.jsonl, and wgslab journal shows it.

The server reads the folder in which it starts, which has work/ and the notebooks. It sends
nothing anywhere; your assistant may. --print-config prints what a client needs:
` + strings.Join(clientNames(), ", ") + `. docs/tutor.md says more.

Exit codes: 0 the client ended the session, 1 the connection broke.`,
		Example: `  wgslab mcp   # a client starts it
  wgslab mcp --print-config claude-code
  wgslab mcp --print-config vscode > .vscode/mcp.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if folder != "" {
				if err := os.Chdir(folder); err != nil {
					return fmt.Errorf("--folder: %w", err)
				}
			}
			if cmd.Flags().Changed("print-config") {
				return printClient(cmd.OutOrStdout(), client)
			}
			if err := serveTutor(cmd); err != nil {
				return &codedError{exitNotRight, err}
			}
			return nil
		},
	}
	command.Flags().StringVar(&client, "print-config", "", "print the configuration of a client: "+strings.Join(clientNames(), ", "))
	command.Flags().StringVar(&folder, "folder", "", "the folder that has work/ and the notebooks (default: where it starts)")
	return command
}

func serveTutor(cmd *cobra.Command) error {
	work, found := workFolderIn(".", isFolder)
	if !found {
		work = learner.Dir
	}
	texts := shipped()
	if root, err := repository.Root("."); err == nil {
		texts = append([]string{filepath.Join(root, "notebooks")}, texts...)
	}
	options := tutor.Options{Work: work, Texts: texts, CheckHost: checkHostElsewhere}
	if info, ok := debug.ReadBuildInfo(); ok {
		options.Version = info.Main.Version
	}
	server, err := tutor.New(options)
	if err != nil {
		return err
	}
	return server.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
}

// checkHostElsewhere checks a host program in a process of its own, which ends with the context. A
// check that names its file records nothing.
func checkHostElsewhere(ctx context.Context, id, file string, seed uint64) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("looking for this program: %w", err)
	}
	command := exec.CommandContext(ctx, self, "check", id, file, "--json", "--seed", strconv.FormatUint(seed, 10))
	var said bytes.Buffer
	command.Stderr, command.WaitDelay = &said, time.Second
	verdict, err := command.Output()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() == exitNotRight && json.Valid(verdict) {
		err = nil
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("checking %s: %w: %s", filepath.Base(file), err, strings.TrimSpace(said.String()))
	}
	return verdict, nil
}

// clients holds what each client needs: the text that configures it, for a program and a folder.
var clients = map[string]func(program, folder string) (string, error){
	"claude-code": func(program, folder string) (string, error) {
		return fmt.Sprintf("claude mcp add wgslab -- %s mcp --folder %s", quoted(program), quoted(folder)), nil
	},
	"codex": func(program, folder string) (string, error) {
		return fmt.Sprintf("codex mcp add wgslab -- %s mcp --folder %s", quoted(program), quoted(folder)), nil
	},
	"gemini": func(program, folder string) (string, error) {
		return fmt.Sprintf("gemini mcp add wgslab %s mcp --folder %s", quoted(program), quoted(folder)), nil
	},
	"vscode": func(program, folder string) (string, error) {
		return configuration("servers", map[string]any{"type": "stdio", "command": program, "args": []string{"mcp", "--folder", folder}})
	},
	"cursor": func(program, folder string) (string, error) {
		return configuration("mcpServers", map[string]any{"command": program, "args": []string{"mcp", "--folder", folder}})
	},
	// Jupyter AI keeps a list, as the Agent Client Protocol has it.
	"jupyter": func(program, folder string) (string, error) {
		server := map[string]any{"name": "wgslab", "command": program, "args": []string{"mcp", "--folder", folder}, "env": []string{}}
		return indented(map[string]any{"mcp_servers": []any{server}})
	},
}

func clientNames() []string { return slices.Sorted(maps.Keys(clients)) }

// configuration is the file of a client that keeps its servers in JSON.
func configuration(key string, server map[string]any) (string, error) {
	return indented(map[string]any{key: map[string]any{"wgslab": server}})
}

func indented(value any) (string, error) {
	var text bytes.Buffer
	err := printJSON(&text, value)
	return strings.TrimSpace(text.String()), err
}

// quoted returns a word for a shell.
func quoted(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// printClient prints what a client needs to start the server in this folder.
func printClient(to io.Writer, client string) error {
	write, known := clients[client]
	if !known {
		return fmt.Errorf("no client is called %q: use %s", client, strings.Join(clientNames(), ", "))
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("looking for this program: %w", err)
	}
	folder, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("looking for this folder: %w", err)
	}
	text, err := write(program, folder)
	if err == nil {
		_, err = fmt.Fprintln(to, text)
	}
	return err
}
