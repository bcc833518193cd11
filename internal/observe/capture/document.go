package capture

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// magic begins the first line of a capture: "WGPUCAP 1 LENGTH\n". As many bytes of JSON follow,
// then the payloads, each at a multiple of 8 bytes. Older captures are JSON alone, with payloads in
// lines of their own (schema 1.1) or in place (1.0), as base64.
const magic = "WGPUCAP"

// recording begins the files of the extension's recorder, which hold what plays a frame again.
const recording = "WGPR"

// Limits on what is kept in memory.
const (
	maxHeader   = 64
	maxMetadata = 128 << 20
	maxText     = 256 << 20 // of an older capture
)

// An id is the number of an object, or the name of an encoder, a pass or a command buffer.
type id string

// UnmarshalJSON accepts a number or a text. Anything else is no id.
func (i *id) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case json.Unmarshal(data, &text) == nil:
		*i = id(text)
	case len(data) > 0 && data[0] != '{' && data[0] != '[' && data[0] != 'n':
		*i = id(data)
	}
	return nil
}

// A ref names an object.
type ref struct {
	ID    id     `json:"__id"`
	Class string `json:"__class"`
}

// A document is the JSON of a capture.
type document struct {
	Tool         string         `json:"tool"`
	ToolVersion  string         `json:"toolVersion"`
	Objects      map[id]*object `json:"objects"`
	Commands     []*command     `json:"commands"`
	PayloadTable []*[2]uint64   `json:"payloadTable"`

	payloads []payload
	cutOff   bool // the file ends within the payloads
}

// An object is something that the page made: a buffer, a pipeline, a shader.
type object struct {
	Type        string          `json:"type"`
	Label       string          `json:"label"`
	Descriptor  json.RawMessage `json:"descriptor"`
	Texture     ref             `json:"texture"` // of a view
	MipData     []payloadRef    `json:"mipData"` // of a texture
	Replacement *string         `json:"replacementCode"`
}

// A command is a call of WebGPU.
type command struct {
	Method     string          `json:"method"`
	Object     id              `json:"object"`
	Args       json.RawMessage `json:"args"`
	Result     id              `json:"result"`
	BufferData []payloadRef    `json:"bufferData"`
}

// args returns the arguments, or none if they aren't a list.
func (c *command) args() (all []json.RawMessage) {
	_ = json.Unmarshal(c.Args, &all)
	return all
}

// A payloadRef says where the bytes of a buffer or a texture are.
type payloadRef struct {
	EntryIndex int     `json:"entryIndex"` // of the bind group
	MipLevel   uint32  `json:"mipLevel"`
	Payload    *int    `json:"__payloadId"`
	Base64     *string `json:"__base64"`
}

// A payload is a range of the file, or bytes in memory.
type payload struct {
	at, length int64
	inline     []byte
}

func (p payload) size() uint64 {
	if p.inline != nil {
		return uint64(len(p.inline))
	}
	return uint64(p.length)
}

// resolve finds a payload. ok is false if the capture leaves it out, or ends before it.
func (c *Capture) resolve(r payloadRef) (p payload, ok bool) {
	switch {
	case r.Base64 != nil:
		data, err := base64.StdEncoding.DecodeString(*r.Base64)
		return payload{inline: data}, err == nil && len(data) > 0
	case r.Payload == nil || *r.Payload < 0 || *r.Payload >= len(c.payloads):
		return p, false
	}
	p = c.payloads[*r.Payload]
	return p, p.size() > 0
}

// readPayload reads bytes of a payload from an offset on.
func (c *Capture) readPayload(p payload, from uint64, into []byte) error {
	if p.inline != nil {
		copy(into, p.inline[min(from, uint64(len(p.inline))):])
		return nil
	}
	if _, err := c.file.ReadAt(into, p.at+int64(from)); err != nil {
		return fmt.Errorf("reading the capture: %w", err)
	}
	return nil
}

// readDocument reads everything but the payloads of a file.
func readDocument(file io.ReaderAt, size int64) (*document, error) {
	start := make([]byte, min(maxHeader, size))
	if _, err := file.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(start, []byte(recording)) {
		return nil, errors.New("it's a recording, which this program doesn't read: use Capture instead of Record, and Save Capture")
	}
	if !bytes.HasPrefix(start, []byte(magic+" ")) {
		return readText(file, size)
	}
	first, _, ended := bytes.Cut(start, []byte("\n"))
	fields := strings.Fields(string(first))
	if !ended || len(fields) != 3 {
		return nil, fmt.Errorf("the first line isn't %q with two numbers, so it's no capture", magic)
	}
	if fields[1] != "1" {
		return nil, fmt.Errorf("it has version %s of the capture format, and this program reads version 1", fields[1])
	}
	length, err := strconv.ParseInt(fields[2], 10, 64)
	begin := int64(len(first) + 1)
	switch {
	case err != nil || length < 0:
		return nil, fmt.Errorf("the first line gives the length %q, so it's no capture", fields[2])
	case length > maxMetadata:
		return nil, fmt.Errorf("its list of commands has %d MiB, and the limit is %d: capture fewer frames", length>>20, maxMetadata>>20)
	case length > size-begin:
		return nil, fmt.Errorf("it ends within its list of commands, after %d of %d bytes: save or copy it again", size-begin, length)
	}
	text := make([]byte, length)
	if _, err := file.ReadAt(text, begin); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	d := &document{}
	if err := decode(text, d); err != nil {
		return nil, fmt.Errorf("its list of commands can't be read: %w", err)
	}
	binary := (begin + length + 7) / 8 * 8
	for _, entry := range d.PayloadTable {
		p := payload{}
		// A payload that isn't all there counts as left out: the rest of a cut file is of use.
		if room := uint64(max(size-binary, 0)); entry != nil && entry[0] <= room && entry[1] <= room-entry[0] {
			p = payload{at: binary + int64(entry[0]), length: int64(entry[1])}
		} else if entry != nil {
			d.cutOff = true
		}
		d.payloads = append(d.payloads, p)
	}
	return d, nil
}

// readText reads an older capture: an object, and perhaps a line for each payload.
func readText(file io.ReaderAt, size int64) (*document, error) {
	if size > maxText {
		return nil, fmt.Errorf("it has %d MiB, and the limit for captures as text is %d: save it as .wgpuc", size>>20, maxText>>20)
	}
	decoder := json.NewDecoder(io.NewSectionReader(file, 0, size))
	d := &document{}
	var other *json.UnmarshalTypeError
	if err := decoder.Decode(d); err != nil && !errors.As(err, &other) {
		return nil, fmt.Errorf("it's neither a %s file nor JSON, so it's no capture: %w", magic, err)
	}
	if d.Commands == nil {
		return nil, errors.New("it's JSON without a list of commands, so it's no capture")
	}
	for {
		var line struct {
			ID     *int   `json:"__payloadId"`
			Base64 []byte `json:"base64"`
		}
		err := decoder.Decode(&line)
		switch {
		case errors.Is(err, io.EOF):
			return d, nil
		case err != nil && !errors.As(err, &other):
			d.cutOff = true // what is there is of use
			return d, nil
		case line.ID == nil || *line.ID < 0 || *line.ID > len(d.Commands)*64+len(d.Objects)*32:
			continue // no payload that a command can name
		}
		for len(d.payloads) <= *line.ID {
			d.payloads = append(d.payloads, payload{})
		}
		d.payloads[*line.ID] = payload{inline: line.Base64}
	}
}
