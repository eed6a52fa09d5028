using System.Text.Json;

namespace ApexShop.Queries.Api.Resources;

/// <summary>A value by which the documents of a list are counted.</summary>
/// <param name="Name">The member of the response.</param>
/// <param name="Column">A name for the value in SQL.</param>
/// <param name="Sql">The value of a row, an integer that is never null.</param>
/// <param name="Write">Writes a value's members of the response.</param>
internal sealed record Facet(string Name, string Column, string Sql, Action<Utf8JsonWriter, int> Write);
