package jupyter

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/google/uuid"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
)

// Connection holds the addresses of a kernel's sockets and the key that signs its messages. It is
// the contents of a connection file.
type Connection struct {
	Transport       string `json:"transport"` // "tcp" or "ipc"
	IP              string `json:"ip"`        // for ipc: the beginning of the socket files' paths
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HeartbeatPort   int    `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name,omitempty"`
}

// signatureScheme is the only scheme in use.
const signatureScheme = "hmac-sha256"

// newConnection makes a connection over socket files in dir, a folder that only its owner may
// enter. A TCP port is not safe: another program could take it between its choice and its use.
func newConnection(dir, kernelName string) Connection {
	return Connection{
		Transport:       "ipc",
		IP:              filepath.Join(dir, "socket"),
		ShellPort:       1,
		IOPubPort:       2,
		StdinPort:       3,
		ControlPort:     4,
		HeartbeatPort:   5,
		Key:             uuid.NewString(),
		SignatureScheme: signatureScheme,
		KernelName:      kernelName,
	}
}

// ReadConnection reads a connection file.
func ReadConnection(path string) (Connection, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Connection{}, fmt.Errorf("reading the connection file: %w", err)
	}
	var c Connection
	if err := json.Unmarshal(data, &c); err != nil {
		return Connection{}, fmt.Errorf("reading the connection file %s: %w", path, err)
	}
	if c.SignatureScheme != signatureScheme && c.Key != "" {
		return Connection{}, fmt.Errorf("connection file %s: signature scheme %q, but only %s is known",
			path, c.SignatureScheme, signatureScheme)
	}
	return c, nil
}

// Write writes a connection file that only its owner can read.
func (c Connection) Write(path string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the connection file: %w", err)
	}
	if err := atomicfile.Write(path, data, 0o600); err != nil {
		return fmt.Errorf("writing the connection file: %w", err)
	}
	return nil
}

// address returns the address of the socket with the given port, in the spelling of package net.
func (c Connection) address(port int) (network, address string) {
	if c.Transport == "ipc" {
		return "unix", fmt.Sprintf("%s-%d", c.IP, port)
	}
	ip := c.IP
	if ip == "*" {
		ip = "" // ZeroMQ's name for every interface
	}
	return c.Transport, net.JoinHostPort(ip, strconv.Itoa(port))
}
