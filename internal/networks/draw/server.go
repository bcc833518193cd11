//go:build !js

package draw

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/epochs"
)

// Limits on how long a client may take. A client that sends or reads nothing occupies only its own
// connection. The time in between is ours, however slow the machine: see body and send.
const (
	requestPatience = 10 * time.Second
	answerPatience  = 20 * time.Second
	idlePatience    = 2 * time.Minute
	closePatience   = 500 * time.Millisecond // for the answers in progress at shutdown
)

// server serves the page at an address that others cannot guess.
type server struct {
	address string // http://127.0.0.1:PORT/TOKEN/
	port    int
	token   string

	http    *http.Server
	reader  *reader
	gone    string        // the page's text after the server has ended
	visited chan struct{} // closed at the first request for the page
	served  chan error    // the error that http returned
}

// listen starts a server on 127.0.0.1. Port 0 selects a free port. The server owns the reader.
func listen(port int, r *reader, gone string, wrap func(http.Handler) http.Handler) (*server, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(port)))
	if err != nil {
		return nil, fmt.Errorf("opening a port for the page: %w", err)
	}
	s := &server{
		port: listener.Addr().(*net.TCPAddr).Port, token: newToken(),
		reader: r, gone: gone,
		visited: make(chan struct{}), served: make(chan error, 1),
	}
	s.address = fmt.Sprintf("http://127.0.0.1:%d/%s/", s.port, s.token)
	s.http = &http.Server{
		Handler:           wrap(s.routes()),
		ReadHeaderTimeout: requestPatience, ReadTimeout: requestPatience,
		IdleTimeout:    idlePatience,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       log.New(io.Discard, "", 0),
	}
	go func() { s.served <- s.http.Serve(listener) }()
	return s, nil
}

// newToken returns 128 random bits, as a part of an address.
func newToken() string {
	bits := make([]byte, 16)
	rand.Read(bits) // never fails
	return base64.RawURLEncoding.EncodeToString(bits)
}

func (s *server) routes() http.Handler {
	visit := sync.OnceFunc(func() { close(s.visited) })
	mux := http.NewServeMux()
	mux.HandleFunc("GET /"+s.token+"/{$}", func(w http.ResponseWriter, _ *http.Request) {
		visit()
		s.servePage(w)
	})
	mux.HandleFunc("POST /"+s.token+"/classify", s.classify)
	mux.HandleFunc("POST /"+s.token+"/why", s.why)
	mux.HandleFunc("POST /"+s.token+"/teach", s.teach)
	return mux
}

// servePage sends the page, which may load and run only its own resources.
func (s *server) servePage(w http.ResponseWriter) {
	nonce := newToken()
	p := PageValues{Nonce: nonce, Data: map[string]any{
		"samples": Samples(),
		"kernels": s.reader.authors,
		"frames":  s.reader.framing != nil,
		"sign":    s.reader.weights.Sign,
		"teach":   s.reader.keep != "",
		"beside":  s.reader.filters != nil,
		"attends": s.reader.attention != nil,
		"label":   "on " + s.reader.device.Adapter().String(),
		"gone":    s.gone,
	}}
	var whole bytes.Buffer
	if err := p.Write(&whole, "frame.js", "page.js", "answer.js", "server.js"); err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", fmt.Sprintf(
		"default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%s'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'", nonce, nonce))
	protect(header)
	send(w, whole.Bytes())
}

// body reads a request of at most so many bytes. The server's deadline for reading would otherwise
// go on, and end the request's context during a long answer.
func body(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	read, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err == nil {
		err = http.NewResponseController(w).SetReadDeadline(time.Time{})
	}
	return read, err
}

// send sends bytes to a client that reads them in time.
func send(w http.ResponseWriter, bytes []byte) {
	control := http.NewResponseController(w)
	if control.SetWriteDeadline(time.Now().Add(answerPatience)) == nil {
		w.Write(bytes)
		control.Flush()
	}
}

// protect keeps an answer out of caches, and its address out of other sites' logs.
func protect(header http.Header) {
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
}

// classify answers a POST of src×src bytes with what the network reads. With the query frame, the
// learner's shaders frame the image first; off says which heads are off.
func (s *server) classify(w http.ResponseWriter, r *http.Request) {
	image, err := body(w, r, src*src)
	if err != nil || len(image) != src*src {
		fail(w, http.StatusBadRequest, fmt.Errorf("a drawing is %d×%d bytes, row by row: send %d", src, src, src*src))
		return
	}
	read, err := s.reader.read(r.Context(), image, !r.URL.Query().Has("frame"), offOf(r.URL.Query().Get("off")))
	switch {
	case r.Context().Err() != nil: // the client has left
	case err != nil:
		fail(w, http.StatusServiceUnavailable, fmt.Errorf("%w. %s", err, s.gone))
	default:
		reply(w, http.StatusOK, read)
	}
}

// why answers a POST of an image of 28×28 bytes, with the query digit, with what the digit's
// probability depends on. With the query beside, it asks the other network.
func (s *server) why(w http.ResponseWriter, r *http.Request) {
	image, err := body(w, r, network.Inputs)
	digit, notNumber := strconv.Atoi(r.URL.Query().Get("digit"))
	if err = errors.Join(err, notNumber); err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("reading the question: %w", err))
		return
	}
	reason, err := s.reader.why(r.Context(), image, question{digit, r.URL.Query().Has("beside")})
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err)
		return
	}
	reply(w, http.StatusOK, reason)
}

// teach answers a POST of a sign with a stream of events: how far the training is, and its end.
func (s *server) teach(w http.ResponseWriter, r *http.Request) {
	const most = 64 << 10 // bytes: ten drawings in base64 take 11 kB
	var sign epochs.Sign
	asked, err := body(w, r, most)
	if err == nil {
		err = json.Unmarshal(asked, &sign)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("reading the sign: %w", err))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	protect(w.Header())
	tell := func(event any) {
		text, err := json.Marshal(event)
		if err != nil { // the loss can be NaN
			text = []byte(`{}`)
		}
		send(w, fmt.Appendf(nil, "data: %s\n\n", text))
	}
	if err := s.reader.teach(r.Context(), sign, func(p progress) { tell(p) }); err != nil {
		tell(map[string]string{"error": err.Error()})
	}
}

func fail(w http.ResponseWriter, status int, err error) {
	reply(w, status, map[string]string{"error": err.Error()})
}

func reply(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil { // a shader can produce numbers that JSON cannot express
		status, text = http.StatusServiceUnavailable, []byte(notNumbers)
	}
	w.Header().Set("Content-Type", "application/json")
	protect(w.Header())
	w.WriteHeader(status)
	send(w, text)
}

// close ends the server, every connection to it, and the device.
func (s *server) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		s.http.Close()
	}
	s.reader.close()
	if err := <-s.served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the page: %w", err)
	}
	return nil
}

// Options are the options of Serve.
type Options struct {
	Work    string               // the folder of the learner's shaders
	Weights string               // the file of the network's weights; "" means those that ship
	Filters bool                 // the network with filters reads as well
	Port    int                  // 0 selects a free port
	Ready   func(address string) // called once the page can be opened

	Attention bool // the transformer reads as well
}

// Serve serves the page on 127.0.0.1 until ctx ends. The error wraps gpu.ErrNoAdapter if no adapter
// can run the network.
func Serve(ctx context.Context, o Options) error {
	r, err := newReader(o.Work, Files{Weights: o.Weights, Filters: o.Filters, Attention: o.Attention})
	if err != nil {
		return err
	}
	// The browser connects directly, so its headers about the origin of a request can be
	// trusted.
	s, err := listen(o.Port, r, "Start `wgslab draw` again.", http.NewCrossOriginProtection().Handler)
	if err != nil {
		r.close()
		return err
	}
	o.Ready(s.address)
	select {
	case <-ctx.Done():
		return s.close()
	case err := <-s.served:
		r.close()
		return fmt.Errorf("serving the page: %w", err)
	}
}
