using System.Text;
using System.Text.Json;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Requests;

/// <summary>The members of documents that a caller selected with <c>fields</c>; all others are left out.</summary>
internal sealed class FieldSelection
{
    private const string Parameter = "fields";

    // {"data":[{"id":1}]}: the members of a document are three levels deep in a list, and one in a document alone.
    private const int DepthInList = 3;
    private const int DepthAlone = 1;

    private readonly byte[][] names;

    private FieldSelection(IEnumerable<string> names) => this.names = [.. names.Select(Encoding.UTF8.GetBytes)];

    /// <summary>Null if the caller did not select any; then the documents are sent whole.</summary>
    public static FieldSelection? From(ReadModel resource, QueryParameters query)
    {
        if (query.Text(Parameter) is not { } text) return null;
        var all = ReadModelJson.ViewOf(resource.Name).Properties.Select(property => property.Name).ToList();
        var names = text.Split(',');
        if (names.Except(all).Any() || names.Distinct().Count() < names.Length)
            query.Refuse(Parameter, $"must be different names of {string.Join(", ", all)}, with commas.");
        return new FieldSelection(names);
    }

    public byte[] OfDocument(ReadOnlySpan<byte> document) => Select(document, DepthAlone);

    /// <summary>The selected members of all documents in the member <c>data</c>; the envelope stays whole.</summary>
    public byte[] OfList(ReadOnlySpan<byte> list) => Select(list, DepthInList);

    private byte[] Select(ReadOnlySpan<byte> json, int depth)
    {
        using var output = new MemoryStream(json.Length);
        using (var writer = new Utf8JsonWriter(output))
        {
            var reader = new Utf8JsonReader(json);
            while (reader.Read())
            {
                var isMember = reader.TokenType == JsonTokenType.PropertyName && reader.CurrentDepth == depth;
                if (isMember && !IsSelected(reader)) reader.Skip();
                else Copy(reader, json, writer);
            }
        }

        return output.ToArray();
    }

    private bool IsSelected(in Utf8JsonReader member)
    {
        foreach (var name in names)
        {
            if (member.ValueTextEquals(name)) return true;
        }

        return false;
    }

    private static void Copy(in Utf8JsonReader token, ReadOnlySpan<byte> json, Utf8JsonWriter writer)
    {
        switch (token.TokenType)
        {
            case JsonTokenType.StartObject: writer.WriteStartObject(); break;
            case JsonTokenType.EndObject: writer.WriteEndObject(); break;
            case JsonTokenType.StartArray: writer.WriteStartArray(); break;
            case JsonTokenType.EndArray: writer.WriteEndArray(); break;
            case JsonTokenType.PropertyName: writer.WritePropertyName(token.ValueSpan); break;
            // The bytes of a value are those of the whole document.
            default:
                var value = json[(int)token.TokenStartIndex..(int)token.BytesConsumed];
                writer.WriteRawValue(value, skipInputValidation: true);
                break;
        }
    }
}
