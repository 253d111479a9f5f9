"""Columns that take less room on PostgreSQL than Django's, for tables with very many rows."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    BooleanField,
    CharField,
    DateTimeField,
    Field,
    FloatField,
    ForeignKey,
    Model,
    PositiveIntegerField,
    PositiveSmallIntegerField,
)
from django.db.models.expressions import Col
from django.db.models.query_utils import DeferredAttribute
from django.db.models.sql.compiler import SQLCompiler


class ShortForeignKey(ForeignKey):
    """A foreign key of four bytes to a number of eight, for targets of which there won't be two billion.

    SQLite stores every number as short as it is.
    """

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        """The column's type, which ``db_type`` doesn't say: if that differed from the target's, Django would convert
        one side of each join, and no index has that. PostgreSQL compares the two as they are, by index as well."""
        found = super().db_parameters(connection)
        return {**found, "type": "integer"} if connection.vendor == "postgresql" else found


class ShortFloatField(FloatField):
    """A number of six digits, in four bytes on PostgreSQL."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """SQLite has only the long one."""
        return "real" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_prep_value(self, value: Any) -> Any:
        """Rounded, so that every database returns what it was given."""
        value = super().get_prep_value(value)
        return None if value is None else six_digits(value)


def six_digits(value: float) -> float:
    """What a short float keeps of a number."""
    return float(f"{value:.6g}")


def whole_second(moment: dt.datetime) -> dt.datetime:
    """The next whole second, or this one: what is stored is never earlier than what happened."""
    return moment.replace(microsecond=0) + dt.timedelta(seconds=1) if moment.microsecond else moment


class _WholeSecond(DeferredAttribute):
    """An attribute that has the time as it will be stored, so that nothing is worked out from a finer one."""

    def __set__(self, instance: Model, value: Any) -> None:
        instance.__dict__[self.field.attname] = whole_second(value) if isinstance(value, dt.datetime) else value


class _Moment(Col):
    """Seconds since ``ShortMomentField.EPOCH``, which any statement reads as a time."""

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        """Added as a double: an integer would overflow in 2038."""
        sql, params = self.as_sql(compiler, connection)
        return f"to_timestamp({sql} + {ShortMomentField.EPOCH}::float8)", params


class ShortMomentField(DateTimeField):
    """A time in whole seconds, in four bytes on PostgreSQL; from 1952 to 2088."""

    EPOCH = 1_577_836_800
    """The beginning of 2020, in seconds since 1970."""
    descriptor_class = _WholeSecond

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """SQLite stores it as any other time."""
        return "integer" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        """Only what is stored is a number, not what is looked for."""
        if value is None or hasattr(value, "as_sql"):
            return value
        moment = whole_second(self.to_python(value))
        if connection.vendor == "postgresql":
            return int(moment.timestamp()) - self.EPOCH
        return super().get_db_prep_save(moment, connection)

    def get_col(self, alias: str, output_field: Field | None = None) -> Col:
        """A time like any other, so it can be mixed with others in a statement."""
        return _Moment(alias, self, output_field or DateTimeField())


class _Filled(Col):
    """A column that is read as its default where it is null."""

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        """A flag is compared, not filled in, because PostgreSQL then estimates how many rows have it."""
        sql, params = self.as_sql(compiler, connection)
        default = self.target.get_default()
        return (f"({sql} IS TRUE)" if default is False else f"COALESCE({sql}, {default!r})"), params


class _SparseField(Field):
    """A column that takes no room on PostgreSQL in a row where it has its default, because null is stored then.

    Nobody sees the null: objects and statements have the default. The migration that introduces such a column drops its
    NOT NULL on PostgreSQL. SQLite takes no more room for a zero than for a null, so it has neither.
    """

    db_returning = False  # or the null that an INSERT returns would replace the default in the object

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        """Only what is stored becomes null, not what is looked for."""
        if connection.vendor == "postgresql" and value == self.get_default():
            return None
        return super().get_db_prep_save(value, connection)

    def get_col(self, alias: str, output_field: Field | None = None) -> Col:
        """The column in any statement that reads it."""
        return _Filled(alias, self, output_field)


class SparseBooleanField(_SparseField, BooleanField):
    """A flag that is nearly always off."""


class SparseSmallField(_SparseField, PositiveSmallIntegerField):
    """A small number that is nearly always 0."""


class SparseNumberField(_SparseField, PositiveIntegerField):
    """A number that is nearly always 0."""


class SparseCharField(_SparseField, CharField):
    """A text that is nearly always empty."""


class _Same(Col):
    """A column that is read as another one where it is null."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        own, params = super().as_sql(compiler, connection)
        target = cast("SameAsField", self.target)
        other = Col(self.alias, cast("Field", target.model._meta.get_field(target.other)))
        return f"COALESCE({own}, {compiler.compile(other)[0]})", params


class SameAsField(PositiveSmallIntegerField):
    """A small number that is nearly always that of another column, and is stored as null then.

    Nobody sees the null here, either. Code that stores the other column always stores this one with it.
    """

    def __init__(self, *, other: str, **kwargs: Any) -> None:
        self.other = other
        super().__init__(**kwargs | {"null": True})

    def deconstruct(self) -> Any:
        """For migrations."""
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, kwargs | {"other": self.other}

    def pre_save(self, model_instance: Model, add: bool) -> Any:
        """What is stored."""
        value = super().pre_save(model_instance, add)
        return None if value == getattr(model_instance, self.other) else value

    def get_col(self, alias: str, output_field: Field | None = None) -> Col:
        """The column in any statement that reads it."""
        return _Same(alias, self, output_field)
