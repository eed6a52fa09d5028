using System.ComponentModel.DataAnnotations;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Operations.Checksums;

/// <summary>The name of one of the resources.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class ResourceNameAttribute() : AllowedValuesAttribute([.. Resources.All]);
