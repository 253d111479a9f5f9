"""What the public pages read. Each function returns a finished page object; templates and views never query."""

from questions.selectors.question_pages import QuestionPage, find_question, question_page

__all__ = ["QuestionPage", "find_question", "question_page"]
