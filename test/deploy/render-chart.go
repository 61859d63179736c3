// Renders a Helm chart with what Helm itself is made of, text/template and sprig, where there is no helm: render-chart FOLDER < values.json.
// Of Helm's own functions it has include alone, so the chart uses no other one.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

// Helm's .Files: what the chart's folder has besides templates.
type folder string

func (from folder) Get(name string) string {
	text, err := os.ReadFile(filepath.Join(string(from), name))
	must(err)
	return string(text)
}

func main() {
	var context map[string]interface{}
	must(json.NewDecoder(os.Stdin).Decode(&context))
	context["Files"] = folder(os.Args[1])
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
	})
	files, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*"))
	must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		template.Must(all.New(filepath.Base(file)).Parse(string(text)))
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") || !strings.HasSuffix(name, ".yaml") {
			continue
		}
		must(all.ExecuteTemplate(os.Stdout, name, context))
		fmt.Println()
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
