import { useState } from "react";
import { send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { TextArea } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { Markdown } from "#web/kit/markdown.tsx";
import { Card, Page } from "#web/kit/page.tsx";
import { Note } from "#web/kit/states.tsx";
import styles from "#web/features/ask/ask.module.css";
import { t } from "#web/messages/text.ts";

interface AnsweredQuestion {
  question: string;
  answer: string;
}

/** Questions to the service that the operator connected; what was asked stays while the page is open. */
export function AskScreen() {
  const [text, setText] = useState("");
  const [answers, setAnswers] = useState<AnsweredQuestion[]>([]);
  const form = useForm(
    async (question: string) => ({
      question,
      answer: (await send("post", "/api/genai/ask", { body: { body: question } })).body ?? "",
    }),
    (answered) => {
      setAnswers((before) => [answered, ...before].slice(0, 50));
      setText("");
    },
  );
  const submit = () => text.trim() !== "" && !form.busy && form.submit(text.trim());
  return (
    <Page title={t("ask.ask")} about={t("ask.answersComeFromAnExternal")}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextArea
          label={t("ask.question")}
          {...form.field("body", text, setText)}
          onKeyDown={(event) =>
            event.key === "Enter" && (event.ctrlKey || event.metaKey) && submit()}
          hint={t("ask.ctrlEnterAsks")}
        />
        <Button type="submit" variant="primary" busy={form.busy} disabled={text.trim() === ""}>
          {form.busy ? t("ask.asking") : t("ask.ask")}
        </Button>
      </form>
      {form.rest().map((problem) => <Note key={problem} tone="bad">{problem}</Note>)}
      <div aria-live="polite" className={styles.answers}>
        {answers.map(({ question, answer }, at) => (
          <Card key={answers.length - at} title={question}>
            <Markdown text={answer} none={t("ask.noAnswer")} />
          </Card>
        ))}
      </div>
    </Page>
  );
}
