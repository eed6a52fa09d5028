using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>A column of a document table: a value of the view that SQL filters, sorts or joins by.</summary>
internal abstract record Column<TView>(string Name, string Type, string ArrayType)
    where TView : class
{
    public abstract NpgsqlParameter Values(IReadOnlyList<Document<TView>> documents);

    /// <summary>The value of one document for COPY.</summary>
    public abstract object? Of(TView view);
}

internal sealed record Column<TView, TValue>(string Name, string Type, Func<TView, TValue?> Value)
    : Column<TView>(Name, Type, Type + "[]")
    where TView : class
{
    public override NpgsqlParameter Values(IReadOnlyList<Document<TView>> documents)
    {
        var values = new TValue?[documents.Count];
        for (var i = 0; i < values.Length; i++)
        {
            if (documents[i].View is { } view) values[i] = Value(view);
        }

        return new NpgsqlParameter<TValue?[]> { TypedValue = values, DataTypeName = ArrayType };
    }

    public override object? Of(TView view) => Value(view);
}

/// <summary>An array of ids, sent as text: unnest would flatten an array of arrays.</summary>
internal sealed record IdsColumn<TView>(string Name, Func<TView, IEnumerable<int>> Value)
    : Column<TView>(Name, "integer[]", "text[]")
    where TView : class
{
    public override NpgsqlParameter Values(IReadOnlyList<Document<TView>> documents)
    {
        string?[] values =
        [
            .. documents.Select(document => document.View is { } view ? $"{{{string.Join(',', Value(view))}}}" : null),
        ];
        return new NpgsqlParameter<string?[]> { TypedValue = values, DataTypeName = ArrayType };
    }

    public override object? Of(TView view) => Value(view).ToArray();
}
