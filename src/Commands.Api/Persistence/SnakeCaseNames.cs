using System.Text.Json;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Columns, keys, indexes and foreign keys in snake_case; the tables are named in their mappings.</summary>
internal static class SnakeCaseNames
{
    public static void Apply(IMutableModel model)
    {
        foreach (var entity in model.GetEntityTypes())
        {
            var table = entity.GetTableName();
            foreach (var property in entity.GetProperties()) property.SetColumnName(Snake(property.Name));
            entity.FindPrimaryKey()!.SetName($"{table}_pkey");
            foreach (var key in entity.GetForeignKeys())
                key.SetConstraintName($"{table}_{Columns(key.Properties)}_fkey");
            foreach (var index in entity.GetIndexes())
                index.SetDatabaseName($"{table}_{Columns(index.Properties)}_idx");
        }
    }

    private static string Columns(IEnumerable<IReadOnlyProperty> properties) =>
        string.Join('_', properties.Select(property => Snake(property.Name)));

    private static string Snake(string name) => JsonNamingPolicy.SnakeCaseLower.ConvertName(name);
}
