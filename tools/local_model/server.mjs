// A small real model behind the OpenAI chat API: node server.mjs MODEL.gguf PORT
import http from "node:http";
import {getLlama, LlamaChatSession} from "node-llama-cpp";

const [modelPath, port] = process.argv.slice(2);
const LONGEST = 256;  // tokens of a reply, whatever is asked for: the model only rambles on
const CONTEXT = 8192;

const llama = await getLlama({gpu: false, build: "never", logLevel: "error"});
const model = await llama.loadModel({modelPath});
// One thread: on a busy machine several wait for each other longer than they work.
const context = await model.createContext({contextSize: CONTEXT, threads: 1});
// Kept from one request to the next: of a prompt that begins as the last one did, only the rest is
// read, which for five prompts of one template is a third of the work.
const sequence = context.getSequence();
let turn = Promise.resolve();

function problem(status, message, code) {
    return [status, {error: {message, type: code, code, param: null}}];
}

async function answer(body) {
    const messages = body.messages;
    const size = messages.reduce((sum, each) => sum + model.tokenize(each.content).length + 8, 0);
    const longest = Math.min(body.max_tokens ?? body.max_completion_tokens ?? LONGEST, LONGEST);
    if (size + longest > CONTEXT) {
        const message = `This model's maximum context length is ${CONTEXT} tokens; ${size} came.`;
        return problem(400, message, "context_length_exceeded");
    }
    const session = new LlamaChatSession({contextSequence: sequence});
    try {
        session.setChatHistory(messages.slice(0, -1).map((each) => each.role === "assistant"
            ? {type: "model", response: [each.content]}
            : {type: each.role, text: each.content}));
        const said = await session.promptWithMeta(messages.at(-1).content, {
            maxTokens: longest, temperature: body.temperature ?? 0
        });
        const cut = said.stopReason === "maxTokens";
        const given = model.tokenize(said.responseText).length;
        return [200, {
            id: "chatcmpl-local", object: "chat.completion", created: 0, model: body.model,
            choices: [{
                index: 0, finish_reason: cut ? "length" : "stop",
                message: {role: "assistant", content: said.responseText}
            }],
            usage: {prompt_tokens: size, completion_tokens: given, total_tokens: size + given}
        }];
    } finally {
        session.dispose();
    }
}

const server = http.createServer((request, response) => {
    const send = ([status, body]) => {
        response.writeHead(status, {"Content-Type": "application/json"});
        response.end(JSON.stringify(body));
    };
    if (request.method === "GET") return send([200, {object: "list", data: [{id: "smollm2"}]}]);
    let text = "";
    request.on("data", (part) => { text += part; });
    request.on("end", () => {
        // One at a time: there is one context.
        turn = turn.then(() => answer(JSON.parse(text))).then(send).catch(
            (error) => send(problem(400, String(error), "invalid_request_error")));
    });
});
server.requestTimeout = 0;
server.listen(Number(port), "127.0.0.1");
